import AdapterKit
import Files
import Glibc
import PageModel
import Scratch
import Testing

@testable import Conversion

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

    /// The documentation states the treatments of a rule's first plan.
    @Test func firstPlansHaveTheTreatmentsOfTheirRules() throws {
        let requests = [
            EncodingRequest(), EncodingRequest(quality: 50), EncodingRequest(format: .jpeg),
            EncodingRequest(format: .jpegXL), EncodingRequest(format: .webp, quality: 50),
        ]
        let outputs = [
            SinkCapabilities(formats: nil), SinkCapabilities(formats: [.jpeg, .png], showsParts: true),
            SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true),
            SinkCapabilities(formats: nil, takesRasters: true),
        ]
        let treatments = Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.rule, $0.treatments) })
        for encoding in ImageEncoding.known {
            let first = Sample.encoded(encoding, grid: encoding == .jpeg ? PixelSize(width: 1, height: 1) : nil)
            for images in [[first], [first, Sample.sampled()], [first, Sample.drawn()], Self.tiff] {
                let picture = Picture(size: Sample.size, representations: images)
                for edits in [[], [Self.crop], [.turn(quarters: 1)], [.gray], [.shades(bits: 2)]] as [[PageEdit]] {
                    for (request, output) in requests.flatMap({ request in outputs.map { (request, $0) } }) {
                        let page = Sample.page(edits: edits)
                        for match in try Planner(output, request).matches(for: page, picture) {
                            let documented = try #require(treatments[match.rule])
                            #expect(documented.isEmpty == match.plans.isEmpty, "\(match.rule)")
                            #expect(
                                match.plans.first.map { documented.contains($0.treatment) } ?? true, "\(match.rule)")
                        }
                    }
                }
            }
        }
    }

    // MARK: The table

    private struct Row {
        let rule: String
        let treatments: [Treatment]
        let text: String

        init<Candidate>(_ image: String, _ rule: PlanRule<Candidate>) {
            self.rule = rule.name
            treatments = rule.treatments
            let fallback = if case .fallback = rule.next { "the next rule " } else { "" }
            let names = rule.treatments.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let treatment = names.isEmpty ? "that of the next image" : names
            text = "| \(image) | \(rule.name) | \(rule.condition) | \(treatment) | \(fallback)|"
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
