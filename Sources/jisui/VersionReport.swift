internal import ArchiveSource
internal import ExternalAdapters
internal import Imaging
internal import Metadata
internal import PDFSource
internal import PDFStructure
internal import Processes
internal import ZipFile

/// The answer to `jisui --version --verbose`: the libraries, the sandbox and the plug-ins, for reports of problems.
enum VersionReport {
    /// Returns the report; nil if the arguments do not ask for it.
    static func answer(_ arguments: [String]) -> String? {
        let words = Set(arguments)
        guard words.contains("--version"), words.isSubset(of: ["--version", "--verbose", "-v"]), words.count > 1 else {
            return nil
        }
        let layers = sandbox(ExternalPlugins.launcher.layers)
        return
            ([Jisui.version, "", "Libraries:"] + libraries + ["", "Sandbox: \(layers)", "", "Plug-ins:"] + plugins)
            .joined(separator: "\n")
    }

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
