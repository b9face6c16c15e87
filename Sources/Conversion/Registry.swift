public import AdapterKit
internal import Files
package import Metadata
public import PageModel
internal import PageNames

/// The adapters that a run may use, as a plain list that is built in one place.
public struct Registry: Sendable {
    public let sources: [any SourceAdapter]
    /// The transforms between source and sink. `Stage` states the order in which their passes run; the order here
    /// decides only within a stage.
    public let transforms: [any PageTransform]
    public let sinks: [any SinkAdapter]
    /// The errors for adapters that cannot be used, by id.
    private let refusals: [String: AdapterError]
    /// Hints on reading formats that no source supports, by extension.
    public var hints: [String: Message] = [:]
    /// The ids of external sources.
    private let externalIDs: Set<String>

    /// - Parameters:
    ///   - externalSources: external sources. They come last, and do not get files that a built-in source recognizes.
    ///   - refusals: the errors for adapters that cannot be used, by id.
    public init(
        sources: [any SourceAdapter], transforms: [any PageTransform] = [], sinks: [any SinkAdapter],
        externalSources: [any SourceAdapter] = [], refusals: [String: AdapterError] = [:]
    ) {
        self.sources = sources + externalSources
        externalIDs = Set(externalSources.map(\.descriptor.id))
        self.transforms = transforms
        self.sinks = sinks
        self.refusals = refusals
    }

    /// Returns the source with this id or extension: the archive source reads "zip".
    ///
    /// - Throws: `.usage`, listing the available ids.
    public func source(_ id: String) throws(AdapterError) -> any SourceAdapter {
        let source =
            sources.first { $0.descriptor.id == id } ?? sources.first { extensions(of: $0).contains(id.lowercased()) }
        if let source { return source }
        throw unknown(id, option: "from", among: sources.map(\.descriptor))
    }

    /// Returns the sink with an id.
    ///
    /// - Throws: `.usage`, listing the available ids.
    public func sink(_ id: String) throws(AdapterError) -> any SinkAdapter {
        if let sink = sinks.first(where: { $0.descriptor.id == id }) { return sink }
        throw unknown(id, option: "to", among: sinks.map(\.descriptor))
    }

    /// Returns the sink for an output's extension.
    public func sink(forExtension pathExtension: String) -> (any SinkAdapter)? {
        sinks.first { $0.descriptor.extensions.contains(pathExtension) }
    }

    /// Returns the sinks of the additional formats in the same output.
    ///
    /// - Throws: `.usage` for an invalid setting of the sink.
    public func sinks(alongside sink: any SinkAdapter, _ settings: Settings) throws(AdapterError) -> [any SinkAdapter] {
        let ids = try (sink as? any AccompaniedSink)?.formatsAlongside(settings) ?? []
        return try ids.map { id throws(AdapterError) in try self.sink(id) }
    }

    /// Returns the base name of an output that is named after its input. This is a file's name without an extension that a source
    /// knows, or the whole name of a folder.
    public func stem(of input: Input) -> String {
        var name = FileName.last(of: input.name)
        // "." and ".." are not names.
        if [".", ".."].contains(name), let real = FileName.resolved(input.path) { name = FileName.last(of: real) }
        if FileStatus.isFolder(input.path) { return name }
        return FileName.stem(
            of: name, extensions: PictureName.extensions.union(sources.flatMap(\.descriptor.extensions)))
    }

    /// Returns a Unicode title for a book without one of its own; nil if its input has no name of its own either.
    func title(of input: Input) -> String? {
        input.name == input.path ? ReadableName.text(of: stem(of: input)) : nil
    }

    /// Returns metadata that the book lacks, inferred from the name of an input; nil if the name suggests nothing more.
    package func guess(of input: Input, for book: BookMetadata) -> FileNameGuess? {
        title(of: input).flatMap { FileNameGuess($0)?.beyond(book) }
    }

    /// Every setting of every adapter, each name once.
    public var settings: [Setting] {
        Registry.distinct(sources.map(\.descriptor) + transforms.map(\.descriptor) + sinks.map(\.descriptor))
    }

    /// Every setting of every source, each name once.
    public var sourceSettings: [Setting] { Registry.distinct(sources.map(\.descriptor)) }

    private static func distinct(_ descriptors: [AdapterDescriptor]) -> [Setting] {
        var seen: Set<String> = []
        return descriptors.flatMap(\.settings).filter { seen.insert($0.name).inserted }
    }

    private func unknown(_ id: String, option: String, among descriptors: [AdapterDescriptor]) -> AdapterError {
        if let refusal = refusals[id] { return refusal }
        // "zip" is another extension of CBZ.
        if let meant = descriptors.first(where: { $0.extensions.contains(id.lowercased()) }) {
            return AdapterError(.usage, "unknown format '\(id)'", hint: "use --\(option) \(meant.id)")
        }
        return AdapterError(
            .usage, "unknown format '\(id)'",
            hint: "--\(option) takes \(descriptors.map(\.id).commaSeparated)")
    }
}

extension Registry {
    /// Returns inputs without the parts of books that other inputs open, such as those of a split archive.
    public func withoutOpenedParts(_ inputs: [String]) -> [String] {
        guard inputs.count > 1 else { return inputs }
        let typed = Set(inputs.compactMap { FileStatus(of: $0)?.identity })
        return inputs.filter { path in
            !sources.contains { source in
                source.openingPart(of: path).flatMap { FileStatus(of: $0)?.identity }.map(typed.contains) ?? false
            }
        }
    }

    /// Returns the paths of all files of a book that opens with a file or folder, such as the parts of a split archive.
    package func files(of path: String) -> [String] {
        guard let status = FileStatus(of: path), status.kind == .file else { return [path] }
        return ([path] + sources.flatMap { $0.otherParts(of: path) }).unique
    }

    /// Returns the source that recognizes an input best.
    ///
    /// The content decides and the name settles ties. A source that verified the content bids its certainty, plus 100 if it
    /// claims the extension too. A name alone is not enough.
    ///
    /// An external source gets a file that a built-in source recognizes only by an extension that no built-in source claims.
    /// Otherwise any plug-in could claim all images.
    ///
    /// - Throws: `.unsupported`, with the apparent format, if no source accepts the input.
    public func recognize(_ probe: Probe) throws(AdapterError) -> any SourceAdapter {
        var best: (bid: Int, source: any SourceAdapter)?
        var declined: Message?
        var isKnown = false
        for source in sources {
            switch source.recognize(probe) {
            case .no:
                break
            case .declined(let what):
                declined = declined ?? "it is \(what)"
            case .maybe(let certainty):
                let isNamed = extensions(of: source).contains(probe.pathExtension)
                // Built-in sources come first.
                if externalIDs.contains(source.descriptor.id), isKnown, !isNamed { continue }
                if !externalIDs.contains(source.descriptor.id) {
                    isKnown = isKnown || certainty >= Registry.minimumCertainty
                }
                let bid = certainty + (isNamed ? 100 : 0)
                if bid > best?.bid ?? 0 { best = (bid, source) }
            }
        }
        if let best { return best.source }
        if let declined {
            throw AdapterError(.unsupported, "cannot be read: \(declined)", file: probe.path)
        }
        if probe.head.isEmpty {
            throw AdapterError(
                .unsupported, "the file is empty", hint: "copy or download it again if you can", file: probe.path)
        }
        throw AdapterError(
            .unsupported, "unrecognized format",
            hint: hints[probe.pathExtension] ?? "run 'jisui formats' to list the supported formats", file: probe.path)
    }

    /// The minimum certainty that makes a file one of the source's own. A lower certainty only serves to report an error in it.
    private static let minimumCertainty = 25

    /// Returns the extensions that select a source. An external source gets only those that no built-in source claims.
    private func extensions(of source: any SourceAdapter) -> [String] {
        guard externalIDs.contains(source.descriptor.id) else { return source.descriptor.extensions }
        let own = PictureName.extensions.union(
            sources.filter { !externalIDs.contains($0.descriptor.id) }.flatMap(\.descriptor.extensions))
        return source.descriptor.extensions.filter { !own.contains($0) }
    }
}
