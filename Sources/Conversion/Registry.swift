public import AdapterKit
public import Metadata
public import PageModel

/// The adapters a run may use: a plain list, made in one place.
public struct Registry: Sendable {
    public let sources: [any SourceAdapter]
    /// What may be done to a book between its source and its sink, in the order in which it is done.
    public let transforms: [any PageTransform]
    public let sinks: [any SinkAdapter]
    /// Why what would be asked for by an id cannot be used.
    private let refusals: [String: AdapterError]
    /// The ids of sources that are not jisui's own.
    private let outside: Set<String>

    /// - Parameters:
    ///   - outsideSources: sources that are not jisui's own. They come last, and get no file that one of its own knows.
    ///   - refusals: by id, why an adapter that somebody may ask for is not among these.
    public init(
        sources: [any SourceAdapter], transforms: [any PageTransform] = [], sinks: [any SinkAdapter],
        outsideSources: [any SourceAdapter] = [], refusals: [String: AdapterError] = [:]
    ) {
        self.sources = sources + outsideSources
        outside = Set(outsideSources.map(\.card.id))
        self.transforms = transforms
        self.sinks = sinks
        self.refusals = refusals
    }

    /// The source with an id, or with an extension of that name: "zip" is read by the source of archives.
    ///
    /// - Throws: `.usage`, listing the ids there are.
    public func source(_ id: String) throws(AdapterError) -> any SourceAdapter {
        let source =
            sources.first { $0.card.id == id } ?? sources.first { extensions(of: $0).contains(id.lowercased()) }
        if let source { return source }
        throw unknown(id, option: "from", among: sources.map(\.card))
    }

    /// The sink with an id.
    ///
    /// - Throws: `.usage`, listing the ids there are.
    public func sink(_ id: String) throws(AdapterError) -> any SinkAdapter {
        if let sink = sinks.first(where: { $0.card.id == id }) { return sink }
        throw unknown(id, option: "to", among: sinks.map(\.card))
    }

    /// The sink that an output's extension stands for.
    public func sink(forExtension pathExtension: String) -> (any SinkAdapter)? {
        sinks.first { $0.card.extensions.contains(pathExtension) }
    }

    /// What an output is called that is named after its input: a file's name without an extension that a source knows,
    /// or the whole name of a folder.
    public func stem(of input: Input) -> String {
        var name = FileName.last(of: input.name)
        // "." and ".." are no names.
        if [".", ".."].contains(name), let real = FileName.resolved(input.path) { name = FileName.last(of: real) }
        if FileStatus.isFolder(input.path) { return name }
        return FileName.stem(
            of: name, extensions: PictureName.extensions.union(sources.flatMap(\.card.extensions)))
    }

    /// What a book is called that has no title of its own, where that has to be Unicode; nil when its input has no name
    /// of its own either.
    func title(of input: Input) -> String? {
        input.name == input.path ? ReadableName.text(of: stem(of: input)) : nil
    }

    /// What the name of an input suggests of a book, where it does not say that itself; nil when that is nothing.
    public func guess(of input: Input, for book: BookMetadata) -> FileNameGuess? {
        title(of: input).flatMap { FileNameGuess($0)?.beyond(book) }
    }

    /// The transforms' cards, each once: what works in two places, before and after another, has one card.
    public var transformCards: [AdapterCard] {
        var seen: Set<String> = []
        return transforms.map(\.card).filter { seen.insert($0.id).inserted }
    }

    /// Every setting of every adapter, each name once.
    public var settings: [Setting] {
        Registry.distinct(sources.map(\.card) + transforms.map(\.card) + sinks.map(\.card))
    }

    /// Every setting of every source, each name once.
    public var sourceSettings: [Setting] { Registry.distinct(sources.map(\.card)) }

    private static func distinct(_ cards: [AdapterCard]) -> [Setting] {
        var seen: Set<String> = []
        return cards.flatMap(\.settings).filter { seen.insert($0.name).inserted }
    }

    private func unknown(_ id: String, option: String, among cards: [AdapterCard]) -> AdapterError {
        if let refusal = refusals[id] { return refusal }
        return AdapterError(
            .usage, "there is no format '\(id)'",
            advice: "--\(option) takes \(cards.map(\.id).joined(separator: ", "))")
    }
}

extension Registry {
    /// The source that knows an input best.
    ///
    /// Content decides and the name settles ties: a source that verified the content bids its certainty, and a
    /// hundred more when the extension is its own too. A name alone is not enough.
    ///
    /// A source that is not jisui's own gets a file that one of jisui's own knows only by an extension that none of these has:
    /// otherwise any plug-in could take all pictures.
    ///
    /// - Throws: `.unsupported` with what the input seems to be, when no source takes it.
    public func recognise(_ probe: Probe) throws(AdapterError) -> any SourceAdapter {
        var best: (bid: Int, source: any SourceAdapter)?
        var declined: String?
        var isKnown = false
        for source in sources {
            switch source.recognise(probe) {
            case .no:
                break
            case .declined(let what):
                declined = declined ?? "it is \(what)"
            case .maybe(let certainty):
                let isNamed = extensions(of: source).contains(probe.pathExtension)
                // Those of jisui's own come first.
                if outside.contains(source.card.id), isKnown, !isNamed { continue }
                if !outside.contains(source.card.id) { isKnown = isKnown || certainty >= Registry.leastKnown }
                let bid = certainty + (isNamed ? 100 : 0)
                if bid > best?.bid ?? 0 { best = (bid, source) }
            }
        }
        if let best { return best.source }
        if let declined {
            throw AdapterError(.unsupported, "cannot be read: \(declined)", file: probe.path)
        }
        throw AdapterError(
            .unsupported, probe.head.isEmpty ? "the file is empty" : "is of no kind that jisui reads",
            advice: "'jisui formats' lists what it reads", file: probe.path)
    }

    /// The certainty from which on a file is one of the source's own; with less it only tells what is wrong with the file.
    private static let leastKnown = 25

    /// The extensions by which a source is found: of one that is not jisui's own, those that no other has.
    private func extensions(of source: any SourceAdapter) -> [String] {
        guard outside.contains(source.card.id) else { return source.card.extensions }
        let own = PictureName.extensions.union(
            sources.filter { !outside.contains($0.card.id) }.flatMap(\.card.extensions))
        return source.card.extensions.filter { !own.contains($0) }
    }
}
