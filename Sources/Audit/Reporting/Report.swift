public import AdapterKit
public import Conversion
public import Directions
internal import Files
package import Metadata
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
    /// The notes of transforms on their findings about the whole book, which are among `notes`.
    public internal(set) var findingNotes: [Warning] = []
    /// The given options that had no effect.
    public var unusedOptions: [UnusedOption] = []
    /// The reports on the additional formats in the output's folder; their warnings are among those above.
    public var alongside: [Report] = []
    /// Whether the run only made the plan and wrote nothing.
    public var isDryRun = false
    /// Whether the output stores samples, where other outputs hold PNG files.
    public var storesSamples = false
    /// Whether the output copies pages of documents if they can stay as they are.
    var copiesPages = false
    /// Whether the sink composes images of its own from the pages.
    var isComposed = false
    /// Whether the output's pages have the requested size instead of their own.
    var isOnGivenPaper = false
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

    /// The volumes of the book, which are then the outputs; empty for one output.
    public var volumes: [Volume] = []
    /// The number of volumes that a dry run found; nil if it is unknown.
    public var plannedVolumes: Int?

    /// A volume of the book: an output of its own.
    public struct Volume: Hashable, Sendable {
        /// The path.
        public let output: String
        public let pageCount: Int
        /// The bytes on the disk; nil if unknown.
        public let bytes: Int?
        /// The digests of the volume's files, as those of an output.
        public let outputFiles: [FileDigest]?
    }

    /// The paths of all outputs.
    public var outputs: [String] { volumes.isEmpty ? [output] : volumes.map(\.output) }

    /// The sandbox layers for worker processes that this system lacks: "files", "calls".
    public var missingSandbox: [String] = []

    /// Inferred metadata, and whether the output contains them.
    public struct Guess: Sendable {
        package var guess: FileNameGuess
        public var isWritten: Bool

        package init(_ guess: FileNameGuess, isWritten: Bool) {
            self.guess = guess
            self.isWritten = isWritten
        }
    }

    /// The counts of the plug-ins' findings, which a report has even with 0 pages.
    var kinds: [FindingCount] = []
    /// The numbers of pages that the requested changes affected.
    public var changes: ChangeCounts { ChangeCounts(pages, kinds) }

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
        members += [("output", .null), ("error", error.json)]
        if isDryRun { members.append(("dryRun", true)) }
        return .object(members)
    }

    private static func beginning(of inputs: [String], version: String) -> [(key: String, value: JSON)] {
        [
            ("jisui", .string(version)), ("report", .integer(Report.version)), ("input", JSON(inputs.first)),
        ] + (inputs.count > 1 ? [("inputs", JSON(inputs.map(JSON.string)))] : [])
    }

    /// The note on metadata from the input's name that the output contains; nil if it contains none.
    public var guessNote: Warning? {
        guard let guess, guess.isWritten else { return nil }
        return Warning(
            code: "guessed-metadata", message: "wrote metadata inferred from the file name: \(guess.guess)",
            isNote: true
        ).shared("wrote metadata inferred from the file name; --verbose lists them")
    }

    /// Adds notes on the run as a whole. The report contains these facts in their own places too.
    mutating func addChoices() {
        func note(_ code: String, _ message: Message) -> Warning { Warning(code: code, message: message, isNote: true) }
        if let reading, !reading.isStated { add(reading.note) }
        for option in unusedOptions { add(note(UnusedOption.code, option.text)) }
        if let namedTitle {
            add(
                note("title-is-name", namedTitle).shared(
                    "took the input's name as the title, because nothing states one"))
        }
        if let guessNote { add(guessNote) }
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
        if let outputFiles { members.append(("outputFiles", JSON(outputFiles.map(\.json)))) }
        if !volumes.isEmpty { members.append(("volumes", JSON(volumes.map(\.json)))) }
        if let verification { members.append(("verification", verification.json)) }
        if !unusedOptions.isEmpty { members.append(("unusedOptions", JSON(unusedOptions.map(\.json)))) }
        if !alongside.isEmpty { members.append(("with", JSON(alongside.map(\.asFormatBeside)))) }
        if !missingSandbox.isEmpty { members.append(("missingSandbox", JSON(missingSandbox.map(JSON.string)))) }
        if isDryRun { members += [("dryRun", true), ("blocker", JSON(blocker))] }
        return .object(members)
    }
}

extension Report {
    /// Records the sizes of the inputs and of the output.
    ///
    /// - Parameters:
    ///   - registry: the adapters, which know the files of each input.
    ///   - isOneOfMany: whether the output holds other books too. The output is not measured then.
    mutating func weigh(_ job: Job, _ registry: Registry, isOneOfMany: Bool) {
        inputBytes = BookSize.bytes(at: job.inputs.flatMap { registry.files(of: $0.path) })
        guard !job.isDryRun, !isOneOfMany, !job.destination.isStandardOutput else { return }
        outputBytes = BookSize.bytes(at: volumes.isEmpty ? [job.destination.path] : volumes.map(\.output))
    }

    /// Adds the pages of a volume.
    ///
    /// - Parameter output: the volume as an output of its own; nil if it is the whole output.
    mutating func add(_ volume: Report, as output: WrittenVolume?) {
        let (before, number) = (pages.count, (pages.last?.volume ?? 0) + 1)
        for var page in volume.pages {
            page.number += before
            page.volume = output == nil ? nil : number
            pages.append(page)
        }
        (isComposed, isOnGivenPaper) = (volume.isComposed, volume.isOnGivenPaper)
        verification = verification?.and(volume.verification) ?? volume.verification
        if let output {
            let own = Volume(
                output: output.path, pageCount: volume.pages.count, bytes: output.bytes,
                outputFiles: volume.outputFiles)
            volumes.append(own)
        } else {
            outputFiles = volume.outputFiles
        }
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

extension FileDigest {
    fileprivate var json: JSON { ["name": .string(name), "sha256": .string(hex)] }
}

extension Report.Volume {
    fileprivate var json: JSON {
        let members: [(key: String, value: JSON)] = [
            ("output", .string(output)), ("pages", .integer(pageCount)), ("bytes", JSON(bytes)),
        ]
        return .object(members + (outputFiles.map { [("outputFiles", JSON($0.map(\.json)))] } ?? []))
    }
}

extension UnusedOption {
    fileprivate var json: JSON { ["option": .string(name), "message": JSON(message), "hint": JSON(hint)] }
}

extension Warning {
    public var json: JSON {
        ["code": .string(code), "page": JSON(page), "message": JSON(explanation), "hint": JSON(hint)]
    }
}

extension AdapterError {
    /// The error in reports and in `jisui info --json`.
    public var json: JSON {
        [
            "code": .string(code.rawValue), "message": JSON(message), "hint": JSON(hint), "file": JSON(file),
            "page": JSON(page),
        ]
    }
}
