internal import ArchiveSource
internal import ExternalAdapters
internal import Imaging
internal import Metadata
internal import PDFSource
internal import PDFStructure
internal import Processes
internal import ZipFile

/// The command for `--version`. With `--verbose` it prints the libraries, the sandbox and the plug-ins too, for reports of
/// problems.
struct VersionReport: Command {
    let isVerbose: Bool

    var text: String {
        if !isVerbose { return Jisui.version }
        let layers = VersionReport.sandbox(ExternalPlugins.launcher.layers)
        let lines = [Jisui.version, "", "Libraries:"] + VersionReport.libraries
        return (lines + ["", "Sandbox: \(layers)", "", "Plug-ins:"] + VersionReport.plugins).joined(separator: "\n")
    }

    func run() { print(Terminal.safeLines(text)) }

    private static var libraries: [String] {
        let others: [(name: String, version: String?)] = [
            ("libarchive", ArchiveSource.libraryVersion), ("libxml2", XMLReader.libraryVersion),
            ("Poppler", PDFSource.popplerVersion), ("qpdf", PDFFile.libraryVersion), ("zlib", Gzip.libraryVersion),
        ]
        return (ImagingLibraries.versions + others).sorted { $0.name.lowercased() < $1.name.lowercased() }
            .map { "  \($0.name) \($0.version ?? "is not installed")" }
    }

    /// Returns the layers of the sandbox that the system has, and the others.
    static func sandbox(_ layers: [String]) -> String {
        let missing = ["files", "calls"].filter { !layers.contains($0) }
        return (layers.isEmpty ? "none" : layers.joined(separator: ", "))
            + (missing.isEmpty ? "" : "; missing: \(missing.joined(separator: ", "))")
    }

    private static var plugins: [String] {
        let found = ExternalPlugins.found.found
        if found.isEmpty { return ["  none"] }
        return found.map { plugin in
            let state =
                switch plugin.state {
                case .usable: ""
                case .shadowed: " (not used)"
                case .refused: " (refused)"
                }
            return "  \(plugin.name) \(plugin.program)\(state)"
        }
    }
}
