internal import ArchiveSource
internal import Clips
internal import ComicSink
internal import Conversion
internal import EPUBSink
internal import EPUBSource
internal import ExternalAdapters
internal import Flatten
internal import FolderSink
internal import FolderSource
internal import Looks
internal import PDFSink
internal import PDFSource
internal import Processes
internal import Rotate
internal import Spreads
internal import StripSink
internal import Trim
internal import WebSink
internal import WebSource

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

    /// The built-in adapters. To add one, add its line here.
    static let own = Registry(
        sources: [
            PDFSource(),
            EPUBSource(),
            ArchiveSource(),
            WebSource(),
            FolderSource(),
            TIFFSource(),
            PictureSource(),
        ],
        transforms: [
            Rotate(Tesseract(ExternalPlugins.launcher)),
            Clips(),
            Spreads(),
            Flatten(),
            Trim(),
            Looks(),
        ],
        sinks: [
            CBZSink(),
            CB7Sink(),
            CBTSink(),
            FolderSink(),
            PDFSink(),
            EPUBSink(),
            StripSink(),
            WebSink(),
        ])
}
