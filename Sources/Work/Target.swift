public import AdapterKit
public import Conversion
public import Files
public import PageModel

/// The target of a run: a sink, and for each input a destination.
public struct Target: Sendable {
    public let sink: any SinkAdapter
    /// The values of adapters' options, including those that several books imply.
    public let settings: [String: String]
    /// Whether the output is "-".
    public let isStandardOutput: Bool
    /// Whether each output is written next to its input.
    public let isNextToInputs: Bool
    /// Whether outputs are named after the requested image format.
    public let isNamedByFormat: Bool
    /// The folder for outputs that are named after their inputs; nil if the output itself is named.
    public let folder: String?
    /// The folders of outputs below the output folder, by the paths of their inputs.
    public var folders: [String: String] = [:]
    /// The end of the name of an output next to its input that would be the input itself; nil to refuse it.
    public var suffix: String?
    let registry: Registry
    private let temporaryFiles: TemporaryFiles
    private let form: OutputForm
    /// The values of the sink's own settings.
    private let own: Settings
    /// The extension of outputs that are named after their inputs.
    private let pathExtension: String
    private let path: String

    /// Creates the target from the name of the output.
    ///
    /// - Parameters:
    ///   - registry: the adapters.
    ///   - output: a path, "-" for standard output, or nil to write outputs next to the inputs.
    ///   - id: the sink's id; nil if the name of the output determines it. It is required without an output.
    ///   - settings: the values of adapters' options.
    ///   - format: the requested format of images.
    ///   - inputs: the paths of the inputs, as they were typed.
    ///   - several: whether there is more than one output. With a path, they need a folder or a collection.
    ///   - temporaryFiles: the list of the program's temporary files.
    /// - Throws: `.usage` if the output does not determine its format, or cannot get several books; `.exists` if it is
    ///   a folder with other files.
    public init(
        _ registry: Registry, output: String?, to id: String?, settings: [String: String], format: ImageEncoding?,
        inputs: [String], several: Bool, temporaryFiles: TemporaryFiles = TemporaryFiles()
    ) throws(AdapterError) {
        self.registry = registry
        self.temporaryFiles = temporaryFiles
        isStandardOutput = output == "-"
        isNextToInputs = output == nil
        let isFolder = output.map { $0 != "-" && FileStatus.isFolder($0) } ?? false
        let looksLikeFolder = output.map(FileName.endsInSlash) ?? false || isFolder
        if let output {
            sink = try registry.sink(for: output, id, settings, looksLikeFolder: looksLikeFolder)
            self.settings = try Target.completed(settings, sink, output, several: several, isFolder: isFolder)
        } else {
            sink = try registry.writableSink(id ?? "")
            self.settings = settings
        }
        try registry.refuseOptionsOfOthers(than: sink, self.settings, looksLikeFolder: looksLikeFolder || output == nil)
        own = try sink.descriptor.values(given: self.settings)
        form = sink.form(own)
        if isStandardOutput { try registry.refuseStandardOutput(sink, form, several: several) }
        if isNextToInputs, form == .collection {
            throw AdapterError(
                .usage, "--to \(sink.descriptor.id) needs an output folder here", hint: "use -o DIR/")
        }
        // The sink rejects a format that it does not write, and lists those that it does.
        let asked = Target.composes(sink, output ?? "") ? format?.fileExtension : nil
        pathExtension = asked ?? sink.fileExtension(own)
        path = output ?? ""
        guard let output, form != .collection else {
            folder = nil
            isNamedByFormat = isNextToInputs && asked != nil
            return
        }
        if several && !looksLikeFolder { throw Target.needsFolder(output, inputs) }
        folder = several || (looksLikeFolder && form != .folder) ? output : nil
        isNamedByFormat = asked != nil && folder != nil
    }

    /// Returns the settings with the flag for an output of several books, which several books imply.
    ///
    /// - Throws: `.exists` if the folder has other files. Adding books to existing content requires the option.
    private static func completed(
        _ settings: [String: String], _ sink: any SinkAdapter, _ output: String, several: Bool, isFolder: Bool
    ) throws(AdapterError) -> [String: String] {
        guard several, let flag = (sink as? any CollectingSink)?.collectionFlag, settings[flag.name] == nil else {
            return settings
        }
        if isFolder, (try? FolderListing.names(in: output).isEmpty) == false {
            throw AdapterError(
                .exists, "the folder is not empty", hint: "use --\(flag.name) to add the books to its contents",
                file: output)
        }
        return settings.merging([flag.name: "true"]) { $1 }
    }

    /// Returns the error for several books whose output is one file.
    private static func needsFolder(_ output: String, _ inputs: [String]) -> AdapterError {
        // The usual cause is a typing error.
        if let missing = inputs.first(where: { $0 != "-" && FileStatus(of: $0) == nil }) {
            return AdapterError(.usage, "cannot be opened: no such file or folder", file: missing)
        }
        return AdapterError(
            .usage, "several inputs cannot become '\(output)' one by one",
            hint: "end it in a slash and add --to, or use --combine to make one book")
    }

    /// Returns whether a sink composes its own images, so that the image format is that of the output.
    private static func composes(_ sink: any SinkAdapter, _ output: String) -> Bool {
        let request = SinkRequest(book: BookMetadata(), pageCount: 0, destination: Destination(path: output))
        return (try? sink.capabilities(request, given: [:]).composition) != nil
    }

    /// Returns the common output of all books, which stays open for them; nil if each has its own.
    public func collection(mayReplace: Bool) throws(AdapterError) -> (any BookCollection)? {
        guard form == .collection, let sink = sink as? any CollectingSink else { return nil }
        return try sink.collection(at: place(path, mayReplace), own)
    }

    /// Whether the output gets several books.
    public var isCollection: Bool { form == .collection }

    /// Whether each output is a file that is named after its input.
    var namesFilesAfterInputs: Bool {
        (folder != nil || isNextToInputs) && form != .folder && form != .collection
    }

    /// Returns the name of an input's output without its extension, by a template.
    func name(for input: Input, _ template: NameTemplate, _ book: BookMetadata?) -> NameTemplate.Outcome {
        template.name(
            for: input, stem: registry.stem(of: input), pathExtension: form == .folder ? "" : pathExtension, book)
    }

    /// Returns the destination for an input.
    ///
    /// - Parameter stem: the name without its extension; nil for that of the input. It has no effect if the output is
    ///   named itself.
    public func destination(for input: Input, stem: String? = nil, mayReplace: Bool) -> Destination {
        if isStandardOutput { return .standardOutput(mayReplace: mayReplace, temporaryFiles: temporaryFiles) }
        guard let folder = isNextToInputs ? FileName.parent(of: input.path) : folder else {
            return place(path, mayReplace)
        }
        let base = folder == "." ? "" : FileName.endsInSlash(folder) ? folder : folder + "/"
        let below = isNextToInputs ? "" : folders[input.path].map { $0 + "/" } ?? ""
        let stem = below + (stem ?? registry.stem(of: input))
        let name = { (stem: String) in form == .folder ? "\(stem)/" : "\(stem).\(pathExtension)" }
        if isNextToInputs, let suffix, FileIdentity.areSame(input.path, base + name(stem)) {
            return place(base + name(stem + suffix), false)
        }
        return place(base + name(stem), mayReplace && !isNextToInputs)
    }

    /// Returns whether an input has the suffix of outputs next to inputs: it may be an output of an earlier run.
    func hasSuffix(_ input: Input) -> Bool { suffix.map(registry.stem(of: input).hasSuffix) ?? false }

    /// Returns whether an input has a name that an output may have.
    func mayBeOutput(_ input: Input) -> Bool {
        form == .folder || FileName.last(of: input.path).hasSuffix(".\(pathExtension)")
    }

    private func place(_ path: String, _ mayReplace: Bool) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
    }
}
