internal import AdapterKit
internal import Conversion
internal import PageModel

/// Where `-o` and `--to` lead: a sink, and for each input a destination.
struct Target {
    let sink: any SinkAdapter
    private let form: OutputForm
    /// The extension of outputs that are named after their inputs.
    private let pathExtension: String
    /// The folder that outputs are put into under their inputs' names; nil when the output is named itself.
    private let folder: String?
    private let path: String

    /// - Parameters:
    ///   - output: as given with -o.
    ///   - id: as given with --to.
    ///   - settings: the values of adapters' options, by name.
    ///   - format: the picture format that is asked for.
    ///   - several: whether more than one output is to be made.
    /// - Throws: `.usage` when the output's form does not tell what to make.
    init(
        output: String, to id: String?, settings: [String: String], format: ImageEncoding?, several: Bool,
        isFolder: Bool
    )
        throws(AdapterError)
    {
        let looksLikeFolder = output.hasSuffix("/") || isFolder
        if let id {
            sink = try Registry.jisui.sink(id)
        } else if looksLikeFolder {
            sink = try Registry.jisui.sink("folder")
        } else if let known = Registry.jisui.sink(forExtension: FileName.extension(of: output)) {
            sink = known
        } else {
            throw AdapterError(
                .usage, "cannot tell what to make of '\(output)'",
                advice: "end it in a slash for a folder of pages, or in "
                    + Registry.jisui.sinks.flatMap { $0.card.extensions.prefix(1) }.map { ".\($0)" }.joined(
                        separator: ", ")
                    + ", or add --to")
        }
        form = sink.form(try Settings(sink.card.settings, given: settings))
        let known = sink.card.extensions
        let asked = Target.composes(sink, output) ? format?.fileExtension : nil
        pathExtension = asked.flatMap { known.contains($0) ? $0 : nil } ?? known.first ?? sink.card.id
        path = output
        if several && !looksLikeFolder {
            throw AdapterError(
                .usage, "several inputs cannot become '\(output)' one by one",
                advice: "end it in a slash and add --to, or add --combine for one book")
        }
        folder = several || (looksLikeFolder && form == .file) ? output : nil
    }

    /// The folder to make first, if it is not there.
    var parent: String? { folder }

    /// Where the output for an input appears.
    func destination(for input: Input, mayReplace: Bool) -> Destination {
        guard let folder else { return place(path, mayReplace) }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let stem = Registry.jisui.stem(of: input)
        let name = form == .folder ? "\(stem)/" : "\(stem).\(pathExtension)"
        return place(base + name, mayReplace)
    }

    private func place(_ path: String, _ mayReplace: Bool) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: Run.temporaryFiles)
    }

    /// Whether a sink makes pictures of its own, so that the picture format is that of the output.
    private static func composes(_ sink: any SinkAdapter, _ output: String) -> Bool {
        let request = SinkRequest(book: BookMetadata(), pageCount: 0, destination: Destination(path: output))
        return (try? sink.capabilities(request).composition) != nil
    }
}
