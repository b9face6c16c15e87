import AdapterKit
import Files
import Glibc
import PageModel
import Scratch
import Testing

@testable import Conversion
@testable import Planning

/// The rules of the planner, and the table that documents them.
@Suite struct PlanRuleTests {
    private static let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 3))
    private static let tiff = [
        Picture.Representation.encoded(
            EncodedPicture(encoding: .tiff, size: Sample.size, isLossless: true) { [] }),
        Sample.encoded(.jpeg, grid: PixelSize(width: 1, height: 1)),
    ]

    private static func rules(
        _ images: [Picture.Representation], edits: [PageEdit] = [], _ request: EncodingRequest = EncodingRequest(),
        in output: SinkCapabilities = SinkCapabilities(formats: [.jpeg, .png])
    ) throws -> [String] {
        let picture = Picture(size: Sample.size, representations: images)
        return try Planner(output, request).matches(for: Sample.page(edits: edits), picture).map(\.rule)
    }

    @Test func firstRuleThatAppliesWins() throws {
        var book = SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true, showsParts: true)
        #expect(
            try Self.rules(Self.tiff, edits: [Self.crop], in: book)
                == ["Use the JPEG in the TIFF", "Copy the file, shown cropped or rotated"])
        book.showsParts = false
        #expect(
            try Self.rules(Self.tiff, edits: [Self.crop], in: book)
                == ["Use the JPEG in the TIFF", "Keep the coefficients of the JPEG", "Encode"])
        #expect(try Self.rules(Self.tiff, in: SinkCapabilities(formats: nil)) == ["Copy the file", "Copy the file"])
        #expect(
            try Self.rules([Sample.encoded(.jpeg)], EncodingRequest(quality: 50))
                == ["Encode, or copy if not larger"])
        #expect(
            try Self.rules([Sample.encoded(.jpeg2000), Sample.sampled(), Sample.drawn()])
                == ["Use the samples", "Store the samples", "Render"])
        #expect(
            try Self.rules([Sample.encoded(.jpeg2000)])
                == ["Encode, or copy a file of several images"])
        #expect(
            try Self.rules([Sample.encoded(.jpegXL, holdsJPEG: true), Sample.drawn()])
                == ["Restore the JPEG of a JPEG XL", "Render"])
    }

    // MARK: All kinds of images

    /// Images of each kind, alone and with others.
    private static let images: [[Picture.Representation]] =
        ImageEncoding.known.flatMap { encoding in
            let first = Sample.encoded(encoding, grid: encoding == .jpeg ? PixelSize(width: 1, height: 1) : nil)
            return [[first], [first, Sample.sampled()], [first, Sample.drawn()]]
        } + [
            tiff, [Sample.encoded(.gif, size: nil), Sample.drawn()],
            [Sample.encoded(.gif, size: PixelSize(width: 20_000, height: 10))],
            [Sample.encoded(.jpegXL, holdsJPEG: true)], [Sample.encoded(.jpeg, repair: "its profile was put in")],
            [jpeg { $0.orientation = .upright.rotated(quarters: 1) }], [jpeg { $0.isRareJPEG = true }],
            [jpeg { $0.overlay = PictureOverlay("a stamp") }],
            [Sample.drawn(like: .jpeg { [] })], [Sample.drawn(like: .bilevel)],
            [Sample.drawn(like: .layers, layers: 2)],
            [Sample.joined(Sample.joinableJPEG)], [Sample.joined(Sample.sampled())], [Sample.joined(Sample.drawn())],
        ]

    private static func jpeg(_ change: (inout EncodedPicture) -> Void) -> Picture.Representation {
        var picture = EncodedPicture(
            encoding: .jpeg, size: Sample.size, grid: PixelSize(width: 1, height: 1)
        ) { Sample.gif }
        change(&picture)
        return .encoded(picture)
    }

    private static let edits: [[PageEdit]] = [[], [crop], [.turn(quarters: 1)], [.gray], [.shades(bits: 2)]]

    private static let requests = [
        EncodingRequest(), EncodingRequest(quality: 50), EncodingRequest(format: .jpeg),
        EncodingRequest(format: .jpegXL), EncodingRequest(format: .webp, quality: 50),
    ]

    private static let outputs = [
        SinkCapabilities(formats: nil), SinkCapabilities(formats: [.jpeg, .png], showsParts: true),
        SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true),
        SinkCapabilities(formats: [.jpeg, .png], laysPagesTogether: true, documents: ["pdf"]),
        SinkCapabilities(formats: nil, takesRasters: true),
    ]

    private static func pictures() -> [Picture] {
        var document = Picture(size: Sample.size, representations: [Sample.drawn()])
        document.document = Sample.document
        return images.map { Picture(size: Sample.size, representations: $0) } + [document]
    }

    /// Returns the rules that apply to a page; nil if the output cannot show its edits.
    private static func matches(
        _ page: Page, _ picture: Picture, _ request: EncodingRequest, _ output: SinkCapabilities
    ) throws -> [PlanMatch]? {
        do {
            return try Planner(output, request).matches(for: page, picture)
        } catch {
            if error.code == .usage { return nil }
            throw error
        }
    }

    /// The documentation states the treatments of a rule's first plan, and whether the rule makes a second one.
    @Test func plansAreThoseThatTheDocumentationStates() throws {
        let rows = Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.rule, $0) })
        var seen: Set<String> = []
        for picture in Self.pictures() {
            for page in Self.edits.map({ Sample.page(edits: $0) }) {
                for (request, output) in Self.requests.flatMap({ request in Self.outputs.map { (request, $0) } }) {
                    // Pages of documents cannot change.
                    guard let matches = try Self.matches(page, picture, request, output) else {
                        #expect(picture.document != nil)
                        continue
                    }
                    for match in matches {
                        let row = try #require(rows[match.rule])
                        let count = row.treatments.isEmpty ? 0 : row.hasFallback ? 2 : 1
                        #expect(match.plans.count == count, "\(match.rule)")
                        #expect(
                            match.plans.first.map { row.treatments.contains($0.treatment) } ?? true, "\(match.rule)")
                        seen.insert(match.rule)
                    }
                }
            }
        }
        #expect(seen == Set(rows.keys))
    }

    // MARK: The table

    private struct Row {
        let rule: String
        let treatments: [Treatment]
        /// Whether the rule itself makes a fallback.
        let hasFallback: Bool
        let text: String

        init<Candidate>(_ image: String, _ rule: PlanRule<Candidate>) {
            self.rule = rule.name
            treatments = rule.treatments
            hasFallback = !rule.fallback.isEmpty
            let fallback = if case .fallback = rule.next { "the next rule" } else { rule.fallback }
            let names = rule.treatments.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let treatment = names.isEmpty ? "that of the next image" : names
            text =
                "| \(image) | \(rule.name) | \(rule.condition) | \(treatment) |\(fallback.isEmpty ? "" : " \(fallback)") |"
        }
    }

    private static let rows =
        DocumentCandidate.rules.map { Row("page of a document", $0) }
        + JoinedCandidate.rules.map { Row("several pages", $0) }
        + UnsizedCandidate.rules.map { Row("file of unknown size", $0) }
        + EncodedCandidate.rules.map { Row("file", $0) }
        + SampledCandidate.rules.map { Row("samples", $0) } + DrawnCandidate.rules.map { Row("rendering", $0) }

    /// `RECORD=1` writes the table.
    @Test func theTableOfRulesIsUpToDate() throws {
        let path = "\(BuiltJisui.repository)/docs/lossless.md"
        let header = "| Image | Rule | Applies if | Treatment | Fallback |\n|---|---|---|---|---|\n"
        let table = header + Self.rows.map { "\($0.text)\n" }.joined()
        let page = String(decoding: try Files.read(path), as: UTF8.self)
        let start = try #require(page.firstRange(of: "| Image | Rule |")?.lowerBound)
        let end = try #require(page[start...].firstRange(of: "\n\n")?.lowerBound)
        let updated = page[..<start] + table.dropLast() + page[end...]
        if getenv("RECORD") != nil { try Files.write(Array(updated.utf8), to: path) }
        #expect(String(decoding: try Files.read(path), as: UTF8.self) == String(updated))
    }
}
