public import PageModel
internal import Synchronization

/// An event of a run that an option depends on.
public enum Effect: Hashable, Sendable {
    /// An option did what only it can do.
    case option(String)
    /// The option of the rule did what only it can do.
    case own
    /// A page could not be analyzed for an option.
    case notAnalyzed(for: String)
    /// An event that only one adapter notes, and names in its rules.
    case named(String)
    /// A page was drawn, scaled up, joined with others, or encoded without losses.
    case drawn, scaledUp, joined, encodedWithoutLosses
    /// A page stayed as it was: it would not have become smaller, or the requested format cannot hold one that large.
    case noSmaller, tooLargeForFormat
    /// The output shows side by side pages that were to become one.
    case shownAsSpread
    /// A sink could have copied a page unchanged from its document, did so, or got an image instead.
    case documentPage, copiedWhole, madePicture
    /// The given password was needed, or may have been.
    case decrypted
    /// The output states the sides of pages, or pairs them in the same way without any data about their sides.
    case sidesShown, pairedAnyway
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
            (self.after, self.message, self.hint) = (after, message, hint)
        }

        /// The reason for options about pages that become one.
        public static let shownAsSpread = Cause(
            after: .shownAsSpread, "the output shows facing pages side by side itself",
            hint: "use --bake to make one image of them")
    }

    /// The sets of events. The option took effect when all events of one set happened.
    public var alternatives: [Set<Effect>]
    /// The possible reasons. The first that holds is reported.
    public var causes: [Cause]

    public init(_ alternatives: [Set<Effect>] = [[.own]], causes: [Cause]) {
        (self.alternatives, self.causes) = (alternatives, causes)
    }

    /// - Parameter effect: the evidence that the option took effect.
    public init(_ effect: Effect = .own, unless message: Message, hint: Message? = nil) {
        self.init([[effect]], causes: [Cause(message, hint: hint)])
    }

    /// Makes the rule of an option that depends on an analysis of the pages.
    ///
    /// - Parameter partial: the reason if a page could not be analyzed for the option.
    public init(unless message: Message, ifUnseen partial: Message, for option: String) {
        self.init(causes: [Cause(after: .notAnalyzed(for: option), partial), Cause(message)])
    }

    /// Makes the rule of an option about pages that become one.
    public init(joining message: Message) {
        self.init([[.own, .joined]], causes: [.shownAsSpread, Cause(message)])
    }

    /// Returns the reason why an option did nothing; nil when it did something, or may have.
    ///
    /// - Parameter unseen: the events that the run could not observe.
    public func cause(of option: String, after seen: Set<Effect>, unseen: Set<Effect> = []) -> Cause? {
        let evidence = alternatives.map { Set($0.map { $0 == .own ? .option(option) : $0 }) }
        if evidence.contains(where: { seen.isSuperset(of: $0) || !unseen.isDisjoint(with: $0) }) { return nil }
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

    public func note(option name: String) { note(.option(name)) }
}
