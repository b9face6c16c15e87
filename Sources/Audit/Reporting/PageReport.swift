public import AdapterKit
internal import Conversion
internal import OrderedJSON
public import PageModel
package import Planning

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

    /// The page's place in the output, from 1. It goes on from volume to volume.
    public var number: Int
    /// The volume that has the page, from 1; nil if the book is one output.
    public var volume: Int?
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
    package var reason: Reason
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
    /// The contents of its document page that the output lacks; nil without a loss.
    var lostParts: LostParts?
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

    /// Whether too little was to be cut off for cutting it without loss.
    var isTooLittleCut: Bool { has([.tooLittleToCut]) }

    /// Whether a finding asked for a crop of the page itself.
    var isCropFound: Bool { findings.contains { $0.crops } }

    /// The remarks of the findings that hold, those on the image first.
    public var remarks: [Message] {
        (findings.ofImage + findings.ofPlace).filter { !($0.crops && isTooLittleCut) }.map { $0.remark }
    }

    /// The treatment and its reason, as a sentence fragment.
    public var explanation: Message { explanation(reason) }

    /// Returns the explanation with the reason that several pages share.
    package func explanation(_ reason: Reason) -> Message {
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
        if let volume { members.append(("volume", .integer(volume))) }
        if let framing { members.append(("framing", framing.json)) }
        let losses = lost.map(\.rawValue) + (lostParts?.parts.map(\.rawValue) ?? [])
        if !losses.isEmpty { members.append(("lost", JSON(losses.sorted().map(JSON.string)))) }
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

extension PageReport {
    /// Creates the report on a converted page, before the output contains it; nil if the page was skipped.
    ///
    /// - Parameter planner: the planner of the output.
    init?(_ converted: ConvertedPage, number: Int, _ planner: Planner) {
        guard let plan = converted.plan, let picture = converted.picture else { return nil }
        let page = converted.page
        self.init(
            number: number, source: page.name, sourceID: page.sourceID, treatment: plan.treatment, reason: plan.reason,
            composition: planner.capabilities.composition, framing: plan.framing, size: plan.size, crop: plan.crop,
            findings: page.findings, side: page.side, lost: LostText.lost(picture, in: planner.capabilities),
            parts: page.parts.map(Part.init))
        book = page.book
        lostParts = LostParts(of: page, picture, plan, planner.request)
        edits = page.edits + page.parts.flatMap(\.edits)
        encoding = plan.encoding
    }
}
