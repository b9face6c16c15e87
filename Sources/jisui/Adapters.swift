internal import ArchiveSource
internal import Conversion
internal import Jisui
internal import PDFSource
internal import Processes
internal import Rotate

/// The services of worker processes.
enum Services {
    private static var all: [any WorkerService.Type] {
        [PictureService.self, RenderingService.self, UnpackingService.self]
    }

    /// Serves as a worker of a kind; returns if the kind is unknown.
    static func serve(_ kind: String) {
        if let service = all.first(where: { $0.id == kind }) { WorkerExchange.serve(service) }
    }
}

extension Registry {
    /// All adapters: the built-in ones and external plug-ins.
    static let jisui: Registry = {
        var registry = own.adding(ExternalPlugins.found)
        registry.hints = ShippedPlugin.hints
        return registry
    }()

    /// The built-in adapters.
    static let own = Registry.builtIn(Tesseract(ExternalPlugins.launcher))
}
