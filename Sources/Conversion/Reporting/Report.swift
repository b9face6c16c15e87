public import AdapterKit
public import Metadata
public import OrderedJSON
public import PageModel

/// The report on one book: version 1 of the format that docs/reference/report.md describes.
public struct Report: Sendable {
    public static let version = 1

    public var inputs: [String]
    public var output: String
    /// The ids of the source and of the sink.
    public var from: String
    public var to: String
    public var direction: Direction?
    /// The reading direction and its evidence; nil if it is neither stated nor needed.
    public var reading: ReadingDirection?
    /// The book's metadata.
    public var book = BookMetadata()
    /// Metadata inferred from the input's name that the book lacks; nil if the name suggests nothing more.
    public var guess: Guess?
    /// Whether the output's title is the name of the input.
    var titleIsName = false
    /// The note on such a title; nil if the title has another origin.
    public var namedTitle: Message? {
        guard titleIsName, let title = book.title else { return nil }
        return "took the input's name '\(title)' as the title, because nothing states one; use --title to change it"
    }
    public var pages: [PageReport] = []
    public var warnings: [Warning] = []
    /// Messages that are not warnings.
    public var notes: [Warning] = []
    /// The given options that had no effect.
    public var idle: [UnusedOption] = []
    /// The reports on the additional formats in the output's folder; their warnings are among those above.
    public var alongside: [Report] = []
    /// Whether the run only made the plan and wrote nothing.
    public var isDryRun = false
    /// Whether the output stores samples, where other outputs hold PNG files.
    public var storesSamples = false
    /// Whether only some pages of the input were selected.
    public var isOfSomePages = false
    /// The blocker that a dry run found: the reason that the real run would fail at this time; nil if none is known.
    public var blocker: Message?
    /// Files and entries of the input that are not pages.
    public var skipped: [String] = []
    /// The bytes of the inputs and of the output on the disk; nil if unknown.
    public var inputBytes: Int?
    public var outputBytes: Int?
    /// The digests of the output's files, if they were requested and the output was read back.
    public var outputFiles: [FileDigest]?
    /// The result of reading the output back; nil if it was not requested.
    public var verification: Verification?

    /// The sandbox layers for worker processes that this system lacks: "files", "calls".
    public var missingSandbox: [String] = []

    /// Inferred metadata, and whether the output contains them.
    public struct Guess: Sendable {
        public var guess: FileNameGuess
        public var isWritten: Bool

        public init(_ guess: FileNameGuess, isWritten: Bool) {
            self.guess = guess
            self.isWritten = isWritten
        }
    }

    /// The numbers of pages that the requested changes affected.
    public var changes: ChangeCounts { ChangeCounts(pages) }

    public func count(_ treatment: Treatment) -> Int {
        pages.count { $0.overallTreatment == treatment }
    }

    /// Returns the report on a book that could not be converted.
    ///
    /// - Parameter version: the version of jisui.
    public static func failure(
        of inputs: [String], _ error: AdapterError, isDryRun: Bool, version: String
    ) -> JSON {
        var members = beginning(of: inputs, version: version)
        members += [
            ("output", .null),
            (
                "error",
                [
                    "code": .string(error.code.rawValue), "message": JSON(error.message),
                    "hint": JSON(error.hint), "file": JSON(error.file), "page": JSON(error.page),
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

    /// A note that lists the pages that were not trimmed to the shared box, for a person to check first. Nil if every page was,
    /// or if no page was: then the pages share no box.
    public var outliers: Message? {
        let outliers = pages.filter(\.isOutlier)
        guard !outliers.isEmpty, pages.contains(where: { $0.isTrimmed && !$0.isOutlier }) else { return nil }
        let trimmed = PageRanges(outliers.filter(\.isTrimmed).map(\.number))
        let whole = PageRanges(outliers.filter { !$0.isTrimmed }.map(\.number))
        var parts: [Message] = []
        if trimmed.count > 0 {
            parts.append(
                trimmed.count == 1
                    ? "trimmed \(trimmed.text) to its own content" : "trimmed \(trimmed.text) to their own content")
        }
        if whole.count > 0 { parts.append("kept \(whole.text) whole") }
        return "not all pages got the book's box: \(parts.listed())"
    }

    /// Adds notes on the run as a whole. The report contains these facts in their own places too.
    mutating func addChoices() {
        func note(_ code: String, _ message: Message) { add(Warning(code: code, message: message, isNote: true)) }
        if let reading, !reading.isStated { note("reading-direction", reading.line) }
        for option in idle { note("unused-option", option.text) }
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
            ("direction", JSON(direction?.rawValue)), ("readingDirection", reading?.json ?? .null),
            ("book", .object(MetadataJSON.members(of: book))),
            ("guess", guess.map { .object($0.guess.members + [("written", .boolean($0.isWritten))]) } ?? .null),
            ("pages", JSON(pages.map(\.json))),
            ("warnings", JSON(warnings.map(\.json))), ("notes", JSON(notes.map(\.json))),
            ("counts", .object(Treatment.allCases.map { ($0.rawValue, .integer(count($0))) })),
            ("changes", changes.json), ("inputBytes", JSON(inputBytes)), ("outputBytes", JSON(outputBytes)),
            ("skippedFiles", JSON(skipped.map(JSON.string))),
        ]
        if let outputFiles {
            let files = outputFiles.map { JSON.object([("name", .string($0.name)), ("sha256", .string($0.hex))]) }
            members.append(("outputFiles", JSON(files)))
        }
        if let verification { members.append(("verification", verification.json)) }
        if !idle.isEmpty { members.append(("unusedOptions", JSON(idle.map(\.json)))) }
        if !alongside.isEmpty { members.append(("with", JSON(alongside.map(\.asFormatBeside)))) }
        if !missingSandbox.isEmpty { members.append(("missingSandbox", JSON(missingSandbox.map(JSON.string)))) }
        if isDryRun { members += [("dryRun", true), ("blocker", JSON(blocker))] }
        return .object(members)
    }
}

extension Report {
    /// The report on an additional format of the output.
    fileprivate var asFormatBeside: JSON {
        var members: [(key: String, value: JSON)] = [("to", .string(to)), ("pages", JSON(pages.map(\.json)))]
        if let verification { members.append(("verification", verification.json)) }
        return .object(members)
    }
}

extension Warning {
    public var json: JSON {
        ["code": .string(code), "page": JSON(page), "message": JSON(explanation), "hint": JSON(hint)]
    }
}

/// The report on one page.
public struct PageReport: Sendable {
    /// A page that was merged into another.
    public struct Part: Sendable {
        public var source: String
        public var sourceID: Int?
        public var book: Int
        public var findings: [any PageFinding]

        init(_ page: Page) {
            (source, sourceID, book) = (page.name, page.sourceID, page.book)
            findings = page.findings
        }
    }

    /// The page's place in the output, from 1.
    public var number: Int
    /// The page in its source, as `Page.name`.
    public var source: String
    /// Its place in the source, as `Page.sourceID`.
    public var sourceID: Int?
    /// The book it comes from, as `Page.book`.
    public var book = 0
    /// Its name in the output; nil if no output was written.
    public var output: String?
    public var treatment: Treatment
    /// The format of its image in the output; nil if the output receives it as pixels or as a document page.
    public var encoding: ImageEncoding?
    /// The reason for this treatment rather than a less lossy one.
    public var reason: Reason
    /// The treatment by a sink that composes pages' images.
    public var composition: Composition?
    /// The part and orientation of an untouched image that the output shows, if that is not simply all of it.
    public var framing: Framing?
    public var size: PixelSize?
    /// The number of bytes written; nil if no output was written.
    public var bytes: Int?
    public var crop: PixelRect?
    /// The results of the analyses by transforms, as `Page.findings`.
    public var findings: [any PageFinding] = []
    public var side = Side.single
    /// The features of the page that the output cannot store.
    public var lost: Set<SinkCapabilities.Feature> = []
    /// The digests; nil if they were not requested.
    public var digests: PageDigests?
    /// The expected page when the output is read back; nil if that was not requested.
    var expectation: PageExpectation?

    /// The requested edits of the page and of its parts.
    var edits: [PageEdit] = []
    /// The pages that were merged into it, with their origins and the results of their analysis.
    public var parts: [Part] = []

    /// The findings about the images of its parts and about its own.
    var imageFindings: [any PageFinding] { (parts.map(\.findings) + [findings]).flatMap { $0.ofImage } }

    /// Whether a change of the whole book treated the page, or a part of it, separately.
    public var isOutlier: Bool { imageFindings.contains { $0.isException } }

    /// Whether too little was to be cut off for cutting it without loss.
    var isTooLittleCut: Bool { reason.parts.contains { $0.note.code == .tooLittleToCut } }

    /// Whether trimming cropped the page, or a part of it.
    var isTrimmed: Bool { !isTooLittleCut && imageFindings.contain(.trimmed) }

    /// Whether trimming or splitting was to cut the page itself.
    var isCut: Bool { findings.contain(.trimmed) || findings.contain(.split) }

    /// The remarks of the findings that hold, those on the image first.
    public var remarks: [Message] {
        (findings.ofImage + findings.ofPlace).filter { !($0.isOfCrop && isTooLittleCut) }.map { $0.remark }
    }

    /// The treatment and its reason, as a sentence fragment.
    public var explanation: Message { explanation(reason) }

    /// Returns the explanation with the reason that several pages share.
    public func explanation(_ reason: Reason) -> Message {
        composition.map { "\(reason.message); \($0.message)" } ?? reason.message
    }

    /// The treatment of the page between source and output, including that by the sink.
    public var overallTreatment: Treatment { max(treatment, composition?.treatment ?? treatment) }

    /// Whether the page may lose less than planned. Only its data will show that.
    public var mayLoseLess: Bool {
        let notes = reason.parts.map(\.note) + (composition?.notes ?? [])
        return notes.contains { [.ifSmaller, .ifVisible, .losslessIfJoinable].contains($0.code) }
    }

    var json: JSON {
        let notes = (reason.json.elements ?? []) + (composition?.notes.map(\.json) ?? [])
        var members: [(key: String, value: JSON)] = [
            ("number", .integer(number)), ("source", .string(source)),
            ("output", JSON(composition?.output ?? output)), ("treatment", .string(overallTreatment.rawValue)),
            ("reason", JSON(explanation)), ("reasons", JSON(notes)), ("width", JSON(size?.width)),
            ("height", JSON(size?.height)), ("bytes", JSON(bytes)), ("crop", JSON(crop)),
        ]
        if let framing { members.append(("framing", framing.json)) }
        if !lost.isEmpty { members.append(("lost", JSON(lost.map(\.rawValue).sorted().map(JSON.string)))) }
        members += findings.ofImage.members(side)
        if !parts.isEmpty {
            let list = parts.map { JSON.object([("source", .string($0.source))] + $0.findings.ofImage.members(side)) }
            members.append(("parts", JSON(list)))
        }
        members += findings.ofPlace.members(side)
        if let digests { members.append(("digests", digests.json)) }
        return .object(members)
    }
}

extension [any PageFinding] {
    /// The members of the report: those of the last finding first, whose boxes are those of the resulting image.
    fileprivate func members(_ side: Side) -> [(key: String, value: JSON)] {
        reversed().flatMap { $0.members(side: side).map { ($0.key, JSON($0.value)) } }
    }
}

extension JSON {
    fileprivate init(_ value: FindingValue) {
        self =
            switch value {
            case .none: .null
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .text(let text): .string(text)
            case .box(let box): JSON(box)
            }
    }
}

extension Framing {
    /// The visible part, and the clockwise rotation of the stored image in degrees, after any mirroring.
    fileprivate var json: JSON {
        let mirrored = Orientation(isTransposed: false, isMirroredAcross: true, isMirroredDown: false)
        let turns = orientation.quarterTurns
        let mirroredTurns = (0..<4).first { mirrored.rotated(quarters: $0) == orientation }
        return [
            "crop": JSON(isWhole ? nil : rect), "rotation": .integer((turns ?? mirroredTurns ?? 0) * 90),
            "mirrored": .boolean(turns == nil),
        ]
    }
}
