internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel

/// The target of `-o` and `--to`: a sink, and for each input a destination.
struct Target {
    let sink: any SinkAdapter
    /// The values of adapters' options, including those that several books imply.
    let settings: [String: String]
    private let form: OutputForm
    /// Whether outputs are named after the requested image format.
    let isNamedByFormat: Bool
    /// The extension of outputs that are named after their inputs.
    private let pathExtension: String
    /// The folder for outputs that are named after their inputs; nil if the output itself is named.
    private let folder: String?
    private let path: String
    /// Whether each output is written next to its input.
    private let isNextToInputs: Bool
    /// Whether the output is "-".
    let isStandardOutput: Bool

    /// Creates the target from the values of -o, --to and adapters' options. Without -o, outputs are written next to the inputs.
    /// Inputs are given as they were typed.
    ///
    /// - Parameter several: whether there is more than one output. With -o, they need a folder or a collection.
    /// - Throws: `.usage` if the output's form does not determine its format.
    init(
        output: String?, to id: String?, settings: [String: String], format: ImageEncoding?, inputs: [String],
        several: Bool, isFolder: Bool
    )
        throws(AdapterError)
    {
        isStandardOutput = output == "-"
        isNextToInputs = output == nil
        guard let output else {
            if let reason = id.flatMap({ Target.unwritten[$0.lowercased()] }) { throw reason.error(file: nil) }
            sink = try Registry.jisui.sink(id ?? "")
            self.settings = settings
            let own = try Settings(sink.descriptor.settings, given: settings)
            form = sink.form(own)
            if form == .collection {
                throw AdapterError(
                    .usage, "--to \(sink.descriptor.id) needs an output folder here", hint: "use -o DIR/")
            }
            let asked = Target.composes(sink, "") ? format?.fileExtension : nil
            pathExtension = asked ?? sink.fileExtension(own)
            isNamedByFormat = asked != nil
            (folder, path) = (nil, "")
            return
        }
        let looksLikeFolder = FileName.endsInSlash(output) || isFolder
        if let id {
            if let reason = Target.unwritten[id.lowercased()] { throw reason.error(file: nil) }
            sink = try Registry.jisui.sink(id)
            try Target.refuseName(output, of: sink, settings, looksLikeFolder: looksLikeFolder)
        } else if let known = Registry.jisui.sink(forExtension: FileName.extension(of: output)), !looksLikeFolder {
            sink = known
        } else if let asked = Target.sinkOfSeveralFiles(settings),
            looksLikeFolder || FileName.extension(of: output).isEmpty
        {
            sink = asked
        } else if looksLikeFolder {
            sink = try Registry.jisui.sink("folder")
        } else {
            if isStandardOutput {
                throw AdapterError(
                    .usage, "no format is given for standard output", hint: "add \(Target.streamed)")
            }
            let endings = Registry.jisui.sinks.flatMap(\.descriptor.extensions).map { ".\($0)" }.joined(separator: ", ")
            if let reason = Target.unwritten[FileName.extension(of: output)] { throw reason.error(file: output) }
            throw AdapterError(
                .usage, "no output format matches '\(output)'",
                hint: "end it in a slash for a folder of pages, or in \(endings), or add --to")
        }
        var settings = settings
        if several, let flag = (sink as? any CollectingSink)?.collectionFlag, settings[flag.name] == nil {
            // Several books create a shelf; adding them to existing content requires the option.
            if isFolder, (try? FolderListing.names(in: output).isEmpty) == false {
                throw AdapterError(
                    .exists, "the folder is not empty", hint: "use --\(flag.name) to add the books to its contents",
                    file: output)
            }
            settings[flag.name] = "true"
        }
        self.settings = settings
        let own = try Settings(sink.descriptor.settings, given: settings)
        form = sink.form(own)
        if isStandardOutput { try Target.refuseStandardOutput(sink, form, several: several) }
        // The sink rejects a format that it does not write, and lists those that it does.
        let asked = Target.composes(sink, output) ? format?.fileExtension : nil
        pathExtension = asked ?? sink.fileExtension(own)
        path = output
        if form == .collection {
            folder = nil
            isNamedByFormat = false
            return
        }
        if several && !looksLikeFolder {
            // The usual cause is a typing error.
            if let missing = inputs.first(where: { $0 != "-" && FileStatus(of: $0) == nil }) {
                throw AdapterError(
                    .usage, "cannot be opened: no such file or folder", file: missing)
            }
            throw AdapterError(
                .usage, "several inputs cannot become '\(output)' one by one",
                hint: "end it in a slash and add --to, or use --combine to make one book")
        }
        folder = several || (looksLikeFolder && form != .folder) ? output : nil
        isNamedByFormat = asked != nil && folder != nil
    }

    /// - Throws: `.usage` if the output would have the extension of another format.
    private static func refuseName(
        _ output: String, of sink: any SinkAdapter, _ settings: [String: String], looksLikeFolder: Bool
    ) throws(AdapterError) {
        let ending = FileName.extension(of: output)
        // A folder may have any name, because it cannot be mistaken for a file.
        guard !looksLikeFolder, !sink.descriptor.extensions.contains(ending),
            let other = Registry.jisui.sink(forExtension: ending)
        else { return }
        let form = try sink.form(Settings(sink.descriptor.settings, given: settings))
        let isFolder = form == .folder || form == .collection
        let (id, own) = (other.descriptor.id, sink.descriptor.extensions.first)
        guard own != nil || isFolder else { return }
        throw AdapterError(
            .usage, "--to \(sink.descriptor.id) does not write .\(ending) files",
            hint: own.map { "use --to \(id), or end the name in .\($0)" }
                ?? "use --to \(id), or end the name in a slash for a folder of that name",
            file: output)
    }

    /// Whether all books are put into one output.
    var isCollection: Bool { form == .collection }

    /// Returns the common output of all books, which stays open for them; nil if each has its own.
    func collection(mayReplace: Bool) throws(AdapterError) -> (any BookCollection)? {
        guard isCollection, let sink = sink as? any CollectingSink else { return nil }
        let settings = try Settings(sink.descriptor.settings, given: settings)
        return try sink.collection(at: place(path, mayReplace), settings)
    }

    /// The folder to create first if it does not exist.
    var parent: String? { folder }

    /// Returns the destination for an input.
    func destination(for input: Input, mayReplace: Bool) -> Destination {
        if isStandardOutput { return .standardOutput(mayReplace: mayReplace, temporaryFiles: Run.temporaryFiles) }
        guard let folder = isNextToInputs ? FileName.parent(of: input.path) : folder else {
            return place(path, mayReplace)
        }
        let base = folder == "." ? "" : FileName.endsInSlash(folder) ? folder : folder + "/"
        let stem = Registry.jisui.stem(of: input)
        let name = form == .folder ? "\(stem)/" : "\(stem).\(pathExtension)"
        return place(base + name, mayReplace)
    }

    /// - Throws: `.usage` if the output is not a single file that can be written from start to end.
    private static func refuseStandardOutput(
        _ sink: any SinkAdapter, _ form: OutputForm, several: Bool
    ) throws(AdapterError) {
        if form == .folder || form == .collection {
            throw AdapterError(
                .usage, "a folder cannot be written to standard output", hint: "use \(streamed) to write one file")
        }
        if form == .file {
            throw AdapterError(
                .usage,
                "\(sink.descriptor.id) cannot be written to standard output: its beginning is written last",
                hint: "write to a file, or use \(streamed)")
        }
        if several {
            throw AdapterError(
                .usage, "several books cannot be written to standard output",
                hint: "use --combine to make one book of them")
        }
    }

    /// The options for outputs that support standard output: "--to cbz, --to cbt or --to strip".
    private static var streamed: String {
        let ids = Registry.jisui.sinks.filter { $0.form(Settings()) == .stream }.map { "--to \($0.descriptor.id)" }
        return ids.listed("or")
    }

    private func place(_ path: String, _ mayReplace: Bool) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: Run.temporaryFiles)
    }

    /// Returns the sink that makes several files because of the settings, but a single file without them.
    private static func sinkOfSeveralFiles(_ settings: [String: String]) -> (any SinkAdapter)? {
        Registry.jisui.sinks.first { sink in
            guard sink.form(Settings()) != .folder, let given = try? Settings(sink.descriptor.settings, given: settings)
            else {
                return false
            }
            return sink.form(given) == .folder
        }
    }

    /// Returns whether a sink composes its own images, so that the image format is that of the output.
    private static func composes(_ sink: any SinkAdapter, _ output: String) -> Bool {
        let request = SinkRequest(book: BookMetadata(), pageCount: 0, destination: Destination(path: output))
        return (try? sink.capabilities(request).composition) != nil
    }
}

extension Target {
    /// A format that jisui does not write although users may request it, with the reason and a hint.
    private struct UnsupportedOutput {
        let name: String
        let reason: Message
        let hint: Message

        func error(file: String?) -> AdapterError {
            AdapterError(.usage, "\(name) cannot be written: \(reason)", hint: hint, file: file)
        }
    }

    private static let unwritten: [String: UnsupportedOutput] = {
        let kindle = { (name: String) in
            UnsupportedOutput(
                name: name, reason: "Amazon's formats are proprietary",
                hint: "use --epub-for kindle to write an .epub, which Amazon's programs accept")
        }
        let kepub = UnsupportedOutput(
            name: ".kepub", reason: "it is an EPUB with another extension", hint: "end the name in .kepub.epub")
        let rar = UnsupportedOutput(
            name: "RAR", reason: "only the program of its makers may write it",
            hint: "write a .cbz, which the same apps can read")
        let picture = { (name: String, format: String) in
            UnsupportedOutput(
                name: "one \(name) of all pages", reason: "a strip can be PNG, JPEG or WebP",
                hint: "use -o pages/ --image-format \(format) to write a folder of pages")
        }
        return [
            "tif": picture("TIFF", "tiff"), "tiff": picture("TIFF", "tiff"), "jxl": picture("JPEG XL", "jxl"),
            "mobi": kindle("MOBI"), "azw3": kindle("AZW3"), "kepub": kepub,
            "cbr": rar, "rar": rar,
        ]
    }()
}
