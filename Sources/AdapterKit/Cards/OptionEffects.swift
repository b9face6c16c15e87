internal import Synchronization

/// Something that may happen in a run, and that an option is about.
public struct Effect: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An option did what nothing but this option does.
    public init(option name: String) {
        rawValue = "--\(name)"
    }

    /// In a rule: what only the rule's option does.
    public static let own = Effect(rawValue: "own")

    // What becomes of pages.

    /// A page, or a part of one, was drawn.
    public static let drawn = Effect(rawValue: "drawn")
    public static let encodedWithLosses = Effect(rawValue: "encoded-with-losses")
    public static let encodedWithoutLosses = Effect(rawValue: "encoded-without-losses")
    /// A page was to be encoded for its size's sake, and stayed as it was, since it would have become no smaller.
    public static let noSmaller = Effect(rawValue: "no-smaller")
    /// A page came in the format that was asked for, and would not have come in it otherwise.
    public static let inAskedFormat = Effect(rawValue: "in-asked-format")
    /// A page stayed as it was, since the format that was asked for holds none so large.
    public static let tooLargeForFormat = Effect(rawValue: "too-large-for-format")
    public static let scaled = Effect(rawValue: "scaled")
    public static let scaledUp = Effect(rawValue: "scaled-up")
    public static let madeGray = Effect(rawValue: "made-gray")
    /// A part of a picture file was cut out or shown. Pages that are drawn or decompressed are cropped on their way anyway.
    public static let cropped = Effect(rawValue: "cropped")
    /// JPEGs were to be joined that do not end on their grid.
    public static let offGrid = Effect(rawValue: "off-grid")
    /// Several pages became one.
    public static let joined = Effect(rawValue: "joined")
    /// The output shows pages beside each other that were to become one.
    public static let shownAsSpread = Effect(rawValue: "shown-as-spread")
    /// A page came that a sink could copy whole from its document.
    public static let documentPage = Effect(rawValue: "document-page")
    /// A page did not come as a whole page of a document, but as a picture.
    public static let madePicture = Effect(rawValue: "made-picture")
    /// A page was copied whole from its document.
    public static let copiedWhole = Effect(rawValue: "copied-whole")

    // What becomes of the book.

    /// The pages were laid out, or their order was told, by the reading direction.
    public static let directed = Effect(rawValue: "directed")
    /// Pages were found to face each other.
    public static let paired = Effect(rawValue: "paired")
    /// The output shows pages as paired in the same way when it is told nothing of their sides. Only a sink that writes knows.
    public static let pairedAnyway = Effect(rawValue: "paired-anyway")
    /// Pages lie on other sides of an open book than their source says.
    public static let sidesChanged = Effect(rawValue: "sides-changed")
    /// The output tells on which side pages lie. Only a sink that writes knows.
    public static let sidesShown = Effect(rawValue: "sides-shown")
    /// The resolution that was given is that of a picture. Only a sink that writes knows.
    public static let resolutionGiven = Effect(rawValue: "resolution-given")

    /// What is not known before the output is written.
    public static let ofWriting: Set<Effect> = [.sidesShown, .resolutionGiven]
}

/// When an option takes effect, and what to say of a run in which it did not.
public struct EffectRule: Hashable, Sendable {
    /// Why an option did nothing.
    public struct Cause: Hashable, Sendable {
        /// It is the reason where this happened; nil where it always is.
        public var after: Effect?
        /// Why, as half a sentence in the past tense: "no page was drawn".
        public var message: String
        /// What would make the option take effect, with what to type.
        public var advice: String?

        public init(after: Effect? = nil, _ message: String, advice: String? = nil) {
            self.after = after
            self.message = message
            self.advice = advice
        }
    }

    /// The option took effect when everything in one of these sets happened. `Effect.own` stands for `Effect(option:)`.
    public var ways: [Set<Effect>]
    /// The first that holds is told.
    public var causes: [Cause]

    public init(_ ways: [Set<Effect>] = [[.own]], causes: [Cause]) {
        self.ways = ways
        self.causes = causes
    }

    /// - Parameter effect: what shows that the option took effect.
    public init(_ effect: Effect = .own, unless message: String, advice: String? = nil) {
        self.init([[effect]], causes: [Cause(message, advice: advice)])
    }

    /// The rule of an option about pages that become one.
    public init(joining message: String) {
        self.init(
            [[.own, .joined]],
            causes: [
                Cause(
                    after: .shownAsSpread, "the output shows facing pages beside each other by itself",
                    advice: "--bake makes one picture of them"),
                Cause(message),
            ])
    }

    /// The ways in which an option takes effect.
    private func ways(of option: String) -> [Set<Effect>] {
        ways.map { Set($0.map { $0 == .own ? Effect(option: option) : $0 }) }
    }

    /// What makes an option take effect, alone or together with others.
    public func effects(of option: String) -> Set<Effect> { ways(of: option).reduce([]) { $0.union($1) } }

    /// Why an option did nothing; nil when it did something.
    ///
    /// - Parameter seen: what happened in the run.
    public func cause(of option: String, after seen: Set<Effect>) -> Cause? {
        if ways(of: option).contains(where: seen.isSuperset) { return nil }
        return causes.first { $0.after.map(seen.contains) ?? true }
    }
}

/// What happened in a run, noted by whoever does it, on any task.
public final class Effects: Sendable {
    private let noted = Mutex<Set<Effect>>([])

    public init() {}

    public var seen: Set<Effect> { noted.withLock { $0 } }

    public func note(_ effect: Effect) { noted.withLock { _ = $0.insert(effect) } }

    public func note(_ effects: Set<Effect>) { noted.withLock { $0.formUnion(effects) } }

    /// Notes that an option did what it is for.
    public func note(option name: String) { note(Effect(option: name)) }
}
