public import AdapterKit
public import Metadata
public import PageModel

/// What became of one book: version 1 of the format that GUIDE.md describes.
public struct Report: Sendable {
    public static let version = 1

    public var inputs: [String]
    public var output: String
    /// The ids of the source and of the sink.
    public var from: String
    public var to: String
    public var direction: Direction?
    /// The reading direction and what tells it; nil where nothing states it and nothing depends on it.
    public var reading: ReadingDirection?
    /// What is said of the book.
    public var book = BookMetadata()
    /// What the input's name suggests of the book beyond what it says itself; nil when that is nothing.
    public var guess: Guess?
    /// Whether the output's title is the name of the input.
    var titleIsName = false
    /// The line that tells of such a title; nil for another.
    public var namedTitle: String? {
        guard titleIsName, let title = book.title else { return nil }
        return "took the input's name '\(title)' as the title, since nothing states one; use --title to change it"
    }
    public var pages: [PageReport] = []
    public var warnings: [Warning] = []
    /// News that are no warnings.
    public var notes: [Warning] = []
    /// The options that were given and did nothing.
    public var idle: [IdleOption] = []
    /// What became of the pages in the other formats that lie in its folder; their warnings are among those above.
    public var alongside: [Report] = []
    /// Whether only the plan was wanted, and nothing written.
    public var isDryRun = false
    /// Whether the output stores samples, where others hold PNG files.
    public var storesSamples = false
    /// Whether only some pages of the input were asked for.
    public var isOfSomePages = false
    /// Of a dry run: why the run itself would be refused, as things are now; nil when nothing is known against it.
    public var obstacle: String?
    /// Files and entries of the input that are no pages.
    public var skipped: [String] = []
    /// The bytes of the inputs and of the output on the disk; nil where they cannot be told.
    public var inputBytes: Int?
    public var outputBytes: Int?
    /// The digests of the output's files, where they were asked for and the output was read back.
    public var outputFiles: [FileDigest]?
    /// What came of reading the output back; nil where nobody asked.
    public var verification: Verification?

    /// The layers of the bounds that this system lacks for processes that work for jisui: "files", "calls".
    public var missingBounds: [String] = []

    /// A guess, and whether it is said of the book all the same.
    public struct Guess: Sendable {
        public var guess: FileNameGuess
        public var isWritten: Bool

        public init(_ guess: FileNameGuess, isWritten: Bool) {
            self.guess = guess
            self.isWritten = isWritten
        }
    }

    /// What was done to the pages of what was asked for.
    public var changes: ChangeCounts { ChangeCounts(pages) }

    public func count(_ treatment: Treatment) -> Int {
        pages.count { $0.overallTreatment == treatment }
    }

    /// What is reported of a book that could not be made.
    ///
    /// - Parameters:
    ///   - isDryRun: whether it could not even be planned.
    ///   - version: the version of jisui.
    public static func failure(
        of inputs: [String], _ error: AdapterError, isDryRun: Bool, version: String
    ) -> JSON {
        var members = beginning(of: inputs, version: version)
        members += [
            ("output", .null),
            (
                "error",
                [
                    "code": .string(error.code.rawValue), "message": .string(error.message),
                    "advice": JSON(error.advice), "file": JSON(error.file), "page": JSON(error.page),
                ]
            ),
        ]
        if isDryRun { members.append(("dryRun", true)) }
        return .object(members)
    }

    private static func beginning(of inputs: [String], version: String) -> [(key: String, value: JSON)] {
        [
            ("jisui", .string(version)), ("report", .integer(Report.version)), ("input", JSON(inputs.first)),
        ] + (inputs.count > 1 ? [("inputs", JSON(inputs.map(JSON.string)))] : [])
    }

    /// A line about pages that were not trimmed to the box of the others, for a person to look at first; nil if there are none.
    public var outliers: String? {
        let numbers = pages.filter(\.isOutlier).map(\.number)
        guard !numbers.isEmpty, numbers.count < pages.count else { return nil }
        let list = numbers.prefix(Report.mostOutliers).map(String.init).joined(separator: ", ")
        let more = numbers.count - Report.mostOutliers
        return "not trimmed to the book's box: page\(numbers.count == 1 ? "" : "s") \(list)"
            + (more > 0 ? " and \(more) more" : "")
    }

    /// More would not be read.
    private static let mostOutliers = 20

    /// Adds to the notes what is told of the run as a whole, and has its own place in the report besides.
    mutating func addChoices() {
        func note(_ code: String, _ message: String) { add(Warning(code: code, message: message, isNote: true)) }
        if let reading, !reading.isStated { note("reading-direction", reading.line) }
        for option in idle { note("idle-option", option.text) }
        if let namedTitle { note("title-is-name", namedTitle) }
        if let outliers { note("outliers", outliers) }
    }

    mutating func add(_ warning: Warning) {
        if warning.isNote { notes.append(warning) } else { warnings.append(warning) }
    }

    /// - Parameter version: the version of jisui.
    public func json(version: String) -> JSON {
        var members = Report.beginning(of: inputs, version: version)
        members += [
            ("output", .string(output)), ("from", .string(from)), ("to", .string(to)),
            ("direction", JSON(direction?.rawValue)), ("reading", reading?.json ?? .null),
            ("book", .object(MetadataJSON.members(of: book))),
            ("guess", guess.map { .object($0.guess.members + [("written", .boolean($0.isWritten))]) } ?? .null),
            ("pages", JSON(pages.map(\.json))),
            ("warnings", JSON(warnings.map(\.json))), ("notes", JSON(notes.map(\.json))),
            ("counts", .object(Treatment.allCases.map { ($0.rawValue, .integer(count($0))) })),
            ("changes", changes.json), ("inputBytes", JSON(inputBytes)), ("outputBytes", JSON(outputBytes)),
            ("skipped", JSON(skipped.map(JSON.string))),
        ]
        if let outputFiles {
            let files = outputFiles.map { JSON.object([("name", .string($0.name)), ("sha256", .string($0.hex))]) }
            members.append(("outputFiles", JSON(files)))
        }
        if let verification { members.append(("verification", verification.json)) }
        if !idle.isEmpty { members.append(("idleOptions", JSON(idle.map(\.json)))) }
        if !alongside.isEmpty { members.append(("with", JSON(alongside.map(\.asFormatBeside)))) }
        if !missingBounds.isEmpty { members.append(("missingBounds", JSON(missingBounds.map(JSON.string)))) }
        if isDryRun { members += [("dryRun", true), ("obstacle", JSON(obstacle))] }
        return .object(members)
    }
}

extension Report {
    /// What is said of a format that lies beside the main one.
    fileprivate var asFormatBeside: JSON {
        var members: [(key: String, value: JSON)] = [("to", .string(to)), ("pages", JSON(pages.map(\.json)))]
        if let verification { members.append(("verification", verification.json)) }
        return .object(members)
    }
}

extension Warning {
    public var json: JSON {
        ["code": .string(code), "page": JSON(page), "message": .string(message), "advice": JSON(advice)]
    }
}

/// What became of one page.
public struct PageReport: Sendable {
    /// The page's place in the output, from 1.
    public var number: Int
    /// The page in its source, as `Page.name`.
    public var source: String
    /// Where it stands in the source, as `Page.sourceID`.
    public var sourceID: Int?
    /// The book it comes from, as `Page.book`.
    public var book = 0
    /// Its name in the output; nil when nothing was written.
    public var output: String?
    public var treatment: Treatment
    /// The format of its picture in the output; nil when it gets there as pixels or as a page of a document.
    public var encoding: ImageEncoding?
    /// Why it is this treatment and not a less lossy one.
    public var reason: Reason
    /// What the sink made of it, where it composes pages' pictures.
    public var composition: Composition?
    /// What the output shows of an untouched picture, where that is not simply all of it.
    public var framing: Framing?
    public var size: PixelSize?
    /// The bytes written; nil when nothing was.
    public var bytes: Int?
    public var crop: PixelRect?
    /// What was found on the page, if something looked at it.
    public var layout: PageLayout?
    /// What was found out about how it is curved, if that was asked for.
    public var flatness: FlatnessFinding?
    public var side = Side.single
    /// What was found out about its place in a spread, if that was asked for.
    public var spread: SpreadFinding?
    /// What belongs to the page and the output has no place for.
    public var lost: Set<SinkCapabilities.Feature> = []
    /// Nil where they were not asked for.
    public var digests: PageDigests?
    /// What the page has to be when it is read back; nil where nobody asks.
    var expectation: PageExpectation?

    /// The pages that were merged in it: where each came from, and what was found on it.
    public var parts: [(source: String, layout: PageLayout?, flatness: FlatnessFinding?)] = []

    /// Whether a change that is made to the whole book treated it, or a part of it, by itself.
    public var isOutlier: Bool {
        ([layout] + parts.map(\.layout)).contains { layout in
            // One that could not be seen is named elsewhere.
            layout.map { $0.isOutlier && $0.trimming != nil && $0.trimming != .unseen } ?? false
        }
    }

    /// What was done and why, in English.
    public var explanation: String { explanation(reason) }

    /// The explanation with the reason that several pages share.
    public func explanation(_ reason: Reason) -> String {
        reason.english + (composition.map { "; \($0.english)" } ?? "")
    }

    /// How the page got from its source into the output, the sink's part in it included.
    public var overallTreatment: Treatment { max(treatment, composition?.treatment ?? treatment) }

    /// Whether the page may lose less than was planned: that only its data will tell.
    public var mayLoseLess: Bool {
        let notes = reason.parts.map(\.note) + (composition?.notes ?? [])
        return notes.contains { [.ifSmaller, .ifSeen, .losslessIfJoinable].contains($0.code) }
    }

    var json: JSON {
        let notes = (reason.json.elements ?? []) + (composition?.notes.map(\.json) ?? [])
        var members: [(key: String, value: JSON)] = [
            ("number", .integer(number)), ("source", .string(source)),
            ("output", JSON(composition?.output ?? output)), ("treatment", .string(overallTreatment.rawValue)),
            ("reason", .string(explanation)), ("reasons", JSON(notes)), ("width", JSON(size?.width)),
            ("height", JSON(size?.height)), ("bytes", JSON(bytes)), ("crop", JSON(crop)),
        ]
        if let framing { members.append(("framing", framing.json)) }
        if !lost.isEmpty { members.append(("lost", JSON(lost.map(\.rawValue).sorted().map(JSON.string)))) }
        members += (layout?.members ?? []) + (flatness?.members ?? [])
        if !parts.isEmpty {
            let list = parts.map {
                JSON.object(
                    [("source", .string($0.source))] + ($0.layout?.members ?? []) + ($0.flatness?.members ?? []))
            }
            members.append(("parts", JSON(list)))
        }
        if let spread {
            members += [
                ("side", .string(side.rawValue)), ("wide", .boolean(spread.isWide)), ("spread", .string(spread.remark)),
                ("spreadConfidence", .number(spread.confidence)), ("fold", JSON(spread.fold)),
            ]
        }
        if let digests { members.append(("digests", digests.json)) }
        return .object(members)
    }
}

extension PageLayout {
    fileprivate var members: [(key: String, value: JSON)] {
        [
            ("content", JSON(content)), ("pageNumber", JSON(pageNumber)), ("head", JSON(head)),
            ("skew", skew.map(JSON.number) ?? .null), ("deskewed", .boolean(isDeskewed)),
            ("confidence", .number(confidence)), ("trim", .string(remark)), ("outlier", .boolean(isOutlier)),
        ]
    }
}

extension FlatnessFinding {
    fileprivate var members: [(key: String, value: JSON)] {
        [("flattened", .boolean(isFlattened)), ("flatten", .string(remark))]
    }
}

extension Framing {
    /// The part that is shown, and how the stored picture is turned (clockwise, in degrees) after it is mirrored.
    fileprivate var json: JSON {
        let mirrored = Orientation(isTransposed: false, isMirroredAcross: true, isMirroredDown: false)
        let turns = orientation.quarterTurns
        let mirroredTurns = (0..<4).first { mirrored.turned(quarters: $0) == orientation }
        return [
            "crop": JSON(isWhole ? nil : rect), "turned": .integer((turns ?? mirroredTurns ?? 0) * 90),
            "mirrored": .boolean(turns == nil),
        ]
    }
}
