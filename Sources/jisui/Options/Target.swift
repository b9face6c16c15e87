internal import AdapterKit
internal import Conversion
internal import PageModel

/// Where `-o` and `--to` lead: a sink, and for each input a destination.
struct Target {
    let sink: any SinkAdapter
    /// The values of adapters' options, with what follows from there being several books.
    let settings: [String: String]
    private let form: OutputForm
    /// Whether outputs are named after the picture format that is asked for.
    let isNamedByFormat: Bool
    /// The extension of outputs that are named after their inputs.
    private let pathExtension: String
    /// The folder that outputs are put into under their inputs' names; nil when the output is named itself.
    private let folder: String?
    private let path: String
    /// Whether the output is "-".
    let isStandardOutput: Bool

    /// - Parameters:
    ///   - output: as given with -o.
    ///   - id: as given with --to.
    ///   - settings: the values of adapters' options, by name.
    ///   - format: the picture format that is asked for.
    ///   - inputs: what was typed.
    ///   - several: whether more than one output is to be made.
    /// - Throws: `.usage` when the output's form does not tell what to make.
    init(
        output: String, to id: String?, settings: [String: String], format: ImageEncoding?, inputs: [String],
        several: Bool, isFolder: Bool
    )
        throws(AdapterError)
    {
        isStandardOutput = output == "-"
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
                    .usage, "cannot tell what to write to standard output", advice: "add \(Target.streamed)")
            }
            if let reason = Target.unwritten[FileName.extension(of: output)] { throw reason.error(file: output) }
            throw AdapterError(
                .usage, "cannot tell what to make of '\(output)'",
                advice: "end it in a slash for a folder of pages, or in "
                    + Registry.jisui.sinks.flatMap(\.card.extensions).map { ".\($0)" }.joined(separator: ", ")
                    + ", or add --to")
        }
        var settings = settings
        if several, let flag = sink.collecting, settings[flag.name] == nil {
            // Several books together are begun, and added to what is there only when that is asked for.
            if isFolder, (try? FolderListing.names(in: output).isEmpty) == false {
                throw AdapterError(
                    .exists, "the folder is not empty", advice: "--\(flag.name) adds the books to what is in it",
                    file: output)
            }
            settings[flag.name] = "true"
        }
        self.settings = settings
        let own = try Settings(sink.card.settings, given: settings)
        form = sink.form(own)
        if isStandardOutput { try Target.refuseStandardOutput(sink, form, several: several) }
        // One that the sink does not write is refused by it, with what it does write.
        let asked = Target.composes(sink, output) ? format?.fileExtension : nil
        pathExtension = asked ?? sink.fileExtension(own)
        path = output
        if form == .collection {
            folder = nil
            isNamedByFormat = false
            return
        }
        if several && !looksLikeFolder {
            // More often than not something was mistyped.
            if let missing = inputs.first(where: { $0 != "-" && FileStatus(of: $0) == nil }) {
                throw AdapterError(
                    .usage, "cannot be opened: there is no such file or folder", file: missing)
            }
            throw AdapterError(
                .usage, "several inputs cannot become '\(output)' one by one",
                advice: "end it in a slash and add --to, or add --combine for one book")
        }
        folder = several || (looksLikeFolder && form != .folder) ? output : nil
        isNamedByFormat = asked != nil && folder != nil
    }

    /// - Throws: `.usage` where the output would be called another format than it is.
    private static func refuseName(
        _ output: String, of sink: any SinkAdapter, _ settings: [String: String], looksLikeFolder: Bool
    ) throws(AdapterError) {
        let ending = FileName.extension(of: output)
        // A folder may be called anything: nobody takes it for a file.
        guard !looksLikeFolder, !sink.card.extensions.contains(ending),
            let other = Registry.jisui.sink(forExtension: ending)
        else { return }
        let form = try sink.form(Settings(sink.card.settings, given: settings))
        let isFolder = form == .folder || form == .collection
        let folder = isFolder ? "a slash for a folder of that name" : nil
        guard let own = sink.card.extensions.first.map({ ".\($0)" }) ?? folder else { return }
        throw AdapterError(
            .usage, "--to \(sink.card.id) does not make a .\(ending)",
            advice: "use --to \(other.card.id), or end the name in \(own)",
            file: output)
    }

    /// Whether all books are put into one output.
    var isCollection: Bool { form == .collection }

    /// The output of all books together, to be kept open for them; nil where each has its own.
    func collection(mayReplace: Bool) throws(AdapterError) -> (any BookCollection)? {
        guard isCollection else { return nil }
        let settings = try Settings(sink.card.settings, given: settings)
        return try sink.collection(at: place(path, mayReplace), settings)
    }

    /// The folder to make first, if it is not there.
    var parent: String? { folder }

    /// Where the output for an input appears.
    func destination(for input: Input, mayReplace: Bool) -> Destination {
        if isStandardOutput { return .standardOutput(mayReplace: mayReplace, temporaryFiles: Run.temporaryFiles) }
        guard let folder else { return place(path, mayReplace) }
        let base = FileName.endsInSlash(folder) ? folder : folder + "/"
        let stem = Registry.jisui.stem(of: input)
        let name = form == .folder ? "\(stem)/" : "\(stem).\(pathExtension)"
        return place(base + name, mayReplace)
    }

    /// - Throws: `.usage` where the output is not one file that can be written from its beginning to its end.
    private static func refuseStandardOutput(
        _ sink: any SinkAdapter, _ form: OutputForm, several: Bool
    ) throws(AdapterError) {
        if form == .folder || form == .collection {
            throw AdapterError(
                .usage, "a folder of files cannot go to standard output", advice: "make one file with \(streamed)")
        }
        if form == .file {
            throw AdapterError(
                .usage, "\(sink.card.id) cannot go to standard output: its beginning is written last",
                advice: "make a file, or use \(streamed)")
        }
        if several {
            throw AdapterError(
                .usage, "several books cannot go to standard output", advice: "--combine makes one book of them")
        }
    }

    /// What can go to standard output: "--to cbz, --to cbt or --to strip".
    private static var streamed: String {
        let ids = Registry.jisui.sinks.filter { $0.form(Settings()) == .stream }.map { "--to \($0.card.id)" }
        return ids.listed("or")
    }

    private func place(_ path: String, _ mayReplace: Bool) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: Run.temporaryFiles)
    }

    /// The sink of which settings ask for several files, where it else makes one.
    private static func sinkOfSeveralFiles(_ settings: [String: String]) -> (any SinkAdapter)? {
        Registry.jisui.sinks.first { sink in
            guard sink.form(Settings()) != .folder, let given = try? Settings(sink.card.settings, given: settings)
            else {
                return false
            }
            return sink.form(given) == .folder
        }
    }

    /// Whether a sink makes pictures of its own, so that the picture format is that of the output.
    private static func composes(_ sink: any SinkAdapter, _ output: String) -> Bool {
        let request = SinkRequest(book: BookMetadata(), pageCount: 0, destination: Destination(path: output))
        return (try? sink.capabilities(request).composition) != nil
    }
}

extension Target {
    /// Why a format is not written that somebody may well ask for, and what to do instead.
    private struct Unwritten {
        let name: String
        let reason: String
        let advice: String

        func error(file: String?) -> AdapterError {
            AdapterError(.usage, "\(name) is not written: \(reason)", advice: advice, file: file)
        }
    }

    private static let unwritten: [String: Unwritten] = {
        let kindle = { (name: String) in
            Unwritten(
                name: name, reason: "Amazon's formats are its own",
                advice: "make an .epub with --epub-for kindle, which Amazon's programs take")
        }
        let kepub = Unwritten(
            name: ".kepub", reason: "it is an EPUB by another name", advice: "end the name in .kepub.epub")
        let rar = Unwritten(
            name: "RAR", reason: "only the program of its makers may write it",
            advice: "make a .cbz, which the same readers take")
        let picture = { (name: String, format: String) in
            Unwritten(
                name: "one \(name) of all pages", reason: "a strip can be PNG, JPEG or WebP",
                advice: "make a folder of pages with -o pages/ --image-format \(format)")
        }
        return [
            "tif": picture("TIFF", "tiff"), "tiff": picture("TIFF", "tiff"), "jxl": picture("JPEG XL", "jxl"),
            "mobi": kindle("MOBI"), "azw3": kindle("AZW3"), "kepub": kepub,
            "cbr": rar, "rar": rar,
        ]
    }()
}
