internal import Scratch
internal import Testing

/// Every page of the fixtures' PDFs matches the tables, which were made with the fixtures and not by jisui.
@Suite struct FixtureTests {
    @Test func theTablesAreRead() {
        #expect(ExpectedPage.all.count > 200)
        let known = Set(ConvertedFixtures.names)
        #expect(ExpectedPage.all.allSatisfy { known.contains($0.file) })
    }

    @Test(arguments: ExpectedPage.all) func pageMatchesItsExpectation(_ expected: ExpectedPage) throws {
        let converted = try ConvertedFixtures.all
        let info = try #require(converted.info(expected.file)?.pages.first { $0.number == expected.number })
        let treatment = try #require(info.treatment)
        #expect(expected.treatments.contains(treatment), "\(info.reason ?? "")")
        if let width = expected.width { #expect(info.width == width) }
        if let height = expected.height { #expect(info.height == height) }

        let bytes = try converted.page(expected.file, expected.number)
        let encoding = FixtureTests.encoding(of: bytes)
        #expect(encoding != nil)
        if let wanted = expected.encoding { #expect(encoding == wanted) }
        let png = encoding == "png" ? try PNGFile(bytes) : nil
        if let png {
            #expect(png.width == info.width && png.height == info.height)
            if let color = expected.color { #expect(png.color == color) }
            if let depth = expected.depth { #expect(png.depth == depth) }
        }
        if let digest = expected.digest {
            #expect(try FixtureTests.digest(of: png?.cleanSamples ?? bytes) == digest)
        }
    }

    private static func encoding(of bytes: [UInt8]) -> String? {
        let signatures: [(String, [UInt8])] = [
            ("jpeg", [0xFF, 0xD8, 0xFF]), ("png", [0x89, 0x50, 0x4E, 0x47]), ("jp2", [0, 0, 0, 12, 0x6A, 0x50]),
        ]
        return signatures.first { bytes.starts(with: $0.1) }?.0
    }

    private static func digest(of bytes: [UInt8]) throws -> String {
        let scratch = try ScratchFolder()
        let path = try scratch.write("bytes", bytes)
        return String(try Program.outcome("sha256sum < '\(path)'").outputText.prefix(64))
    }
}

/// A line of a fixtures' table: the expected results for one page of a PDF (see Fixtures/README.md).
struct ExpectedPage: CustomTestStringConvertible, Sendable {
    let file: String
    let number: Int
    let treatments: [String]
    let width: Int?
    let height: Int?
    /// `jpeg`, `jp2` or `png`; nil where more than one is right.
    let encoding: String?
    /// The color type of a PNG: `gray`, `rgb` or `palette`.
    let color: String?
    let depth: Int?
    let digest: String?

    var testDescription: String { "\(file) page \(number)" }

    static let all = ["expected.tsv", "expected-real.tsv"].flatMap(read)

    private static func read(_ table: String) -> [ExpectedPage] {
        let bytes = (try? Files.read("\(ConvertedFixtures.folder)/\(table)")) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 10, let number = Int(fields[1]) else { return nil }
            func text(_ index: Int) -> String? { fields[index] == "-" ? nil : fields[index] }
            return ExpectedPage(
                file: fields[0], number: number, treatments: fields[2].split(separator: "|").map(String.init),
                width: Int(fields[4]), height: Int(fields[5]), encoding: text(6), color: text(7),
                depth: Int(fields[8]), digest: text(9))
        }
    }
}
