public import PageModel
internal import Synchronization

/// An event of a run that an option depends on.
public struct Effect: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes the effect that only this option can have.
    public init(option name: String) {
        rawValue = "--\(name)"
    }

    /// The placeholder in a rule for the effect that only the rule's option can have.
    public static let own = Effect(rawValue: "own")

    // The pages: one of them, or a part of one.

    public static let drawn = Effect(rawValue: "drawn")
    public static let encodedWithLosses = Effect(rawValue: "encoded-with-losses")
    public static let encodedWithoutLosses = Effect(rawValue: "encoded-without-losses")
    /// It stayed as it was, because encoding would not have made it smaller.
    public static let noSmaller = Effect(rawValue: "no-smaller")
    /// It came in the requested format, which it would not have had otherwise.
    public static let inAskedFormat = Effect(rawValue: "in-asked-format")
    /// It stayed as it was, because the requested format cannot hold one that large.
    public static let tooLargeForFormat = Effect(rawValue: "too-large-for-format")
    public static let scaled = Effect(rawValue: "scaled")
    public static let scaledUp = Effect(rawValue: "scaled-up")
    public static let madeGray = Effect(rawValue: "made-gray")
    /// A part of an image file was cut out or shown. Pages that are rendered or decompressed are cropped in any case.
    public static let cropped = Effect(rawValue: "cropped")
    /// The dimensions of JPEGs to be joined were not multiples of their MCU size.
    public static let offGrid = Effect(rawValue: "off-grid")
    public static let joined = Effect(rawValue: "joined")
    /// The output shows side by side pages that were to become one.
    public static let shownAsSpread = Effect(rawValue: "shown-as-spread")
    /// A sink could have copied it unchanged from its document.
    public static let documentPage = Effect(rawValue: "document-page")
    /// It came as an image, not as a whole page of a document.
    public static let madePicture = Effect(rawValue: "made-picture")
    /// It was copied unchanged from its document.
    public static let copiedWhole = Effect(rawValue: "copied-whole")

    public static func notAnalyzed(for option: String) -> Effect { Effect(rawValue: "not-analyzed --\(option)") }

    // The book.

    /// The given password was needed, or may have been.
    public static let decrypted = Effect(rawValue: "decrypted")
    /// The reading direction decided the layout of the pages, or the order that the output states.
    public static let directed = Effect(rawValue: "directed")
    /// Facing pages were found.
    public static let paired = Effect(rawValue: "paired")
    /// The output pairs the pages in the same way without any data about their sides.
    public static let pairedAnyway = Effect(rawValue: "paired-anyway")
    /// Pages are on other sides of an open book than their source says.
    public static let sidesChanged = Effect(rawValue: "sides-changed")
    /// The output states on which side pages are.
    public static let sidesShown = Effect(rawValue: "sides-shown")
    /// The given resolution is that of an image.
    public static let resolutionGiven = Effect(rawValue: "resolution-given")
    /// The given paper size is that of an image's page.
    public static let paperGiven = Effect(rawValue: "paper-given")

    /// The effects that only a sink that writes knows.
    public static let ofWriting: Set<Effect> = [.sidesShown, .resolutionGiven, .paperGiven]
}

/// The rule that decides when an option takes effect, with the explanations for a run without that effect.
public struct EffectRule: Hashable, Sendable {
    /// The reason why an option did nothing.
    public struct Cause: Hashable, Sendable {
        /// The event after which this is the reason; nil for a reason that always holds.
        public var after: Effect?
        /// The reason as a sentence fragment in the past tense: "no page was rendered".
        public var message: Message
        /// The hint how to make the option take effect, with the text to type.
        public var hint: Message?

        public init(after: Effect? = nil, _ message: Message, hint: Message? = nil) {
            self.after = after
            self.message = message
            self.hint = hint
        }
    }

    /// The sets of events. The option took effect when all events of one set happened.
    public var alternatives: [Set<Effect>]
    /// The possible reasons. The first that holds is reported.
    public var causes: [Cause]

    public init(_ alternatives: [Set<Effect>] = [[.own]], causes: [Cause]) {
        self.alternatives = alternatives
        self.causes = causes
    }

    /// - Parameter effect: the evidence that the option took effect.
    public init(_ effect: Effect = .own, unless message: Message, hint: Message? = nil) {
        self.init([[effect]], causes: [Cause(message, hint: hint)])
    }

    /// Makes the rule of an option about pages that become one.
    public init(joining message: Message) {
        self.init(
            [[.own, .joined]],
            causes: [
                Cause(
                    after: .shownAsSpread, "the output shows facing pages side by side itself",
                    hint: "use --bake to make one image of them"),
                Cause(message),
            ])
    }

    /// Returns the reason why an option did nothing; nil when it did something.
    ///
    /// - Parameter seen: the events of the run.
    public func cause(of option: String, after seen: Set<Effect>) -> Cause? {
        let own: Set<Effect> = seen.contains(Effect(option: option)) ? [.own] : []
        if alternatives.contains(where: seen.union(own).isSuperset) { return nil }
        return causes.first { $0.after.map(seen.contains) ?? true }
    }
}

/// The events of a run. Any task may note them.
public final class OptionEvidence: Sendable {
    private let noted = Mutex<Set<Effect>>([])

    public init() {}

    public var seen: Set<Effect> { noted.withLock { $0 } }

    public func note(_ effect: Effect) { noted.withLock { _ = $0.insert(effect) } }

    public func note(_ effects: Set<Effect>) { noted.withLock { $0.formUnion(effects) } }

    /// Notes that an option did its work.
    public func note(option name: String) { note(Effect(option: name)) }
}
