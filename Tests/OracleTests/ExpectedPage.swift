internal import Scratch
internal import Testing

/// A line of a fixtures' table: what is right for one page of a PDF (see Fixtures/README.md).
struct ExpectedPage: CustomTestStringConvertible, Sendable {
    let file: String
    let number: Int
    let treatments: [String]
    let width: Int?
    let height: Int?
    /// `jpeg`, `jp2` or `png`; nil where more than one is right.
    let encoding: String?
    /// Of a PNG: `gray`, `rgb` or `palette`.
    let colour: String?
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
                width: Int(fields[4]), height: Int(fields[5]), encoding: text(6), colour: text(7),
                depth: Int(fields[8]), digest: text(9))
        }
    }
}
