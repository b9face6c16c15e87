internal import Foundation
internal import Scratch

/// The fixtures' PDFs as the built jisui sees and converts them: done once for all tests.
struct ConvertedFixtures: Sendable {
    struct Failure: Error {
        let command: String
        let outcome: Program.Outcome
    }

    /// What `jisui info --json` says of one PDF, as far as it is judged here.
    struct Info: Decodable, Sendable {
        struct Page: Decodable, Sendable {
            let number: Int
            let width: Int?
            let height: Int?
            let treatment: String?
            let reason: String?
            let mediaBox: [Double]?
            let cropBox: [Double]?
            let rotation: Int?
        }

        let input: String
        let pages: [Page]
    }

    static let folder = "\(BuiltJisui.fixtures)/good/PDFSource"
    /// The password of those that need one.
    private static let password = "sesame"
    static let names = Files.names(in: folder).filter { $0.hasSuffix(".pdf") }

    private static let result = Result { try ConvertedFixtures() }

    /// The password of a PDF: other people's programs refuse one that is not needed.
    static func password(of file: String) -> String {
        file.hasPrefix("encrypted-") && file != "encrypted-owner-only.pdf" ? password : ""
    }

    static var all: ConvertedFixtures {
        get throws { try result.get() }
    }

    private let scratch: ScratchFolder
    private let infos: [String: Info]

    private init() throws {
        scratch = try ScratchFolder()
        var environment = BuiltJisui.environment(temporary: scratch("."))
        environment["JISUI_PASSWORD"] = ConvertedFixtures.password
        func jisui(_ arguments: String) throws -> Program.Outcome {
            let outcome = try Program.outcome(
                "jisui \(arguments)", in: ConvertedFixtures.folder, environment: environment)
            guard [0, 3].contains(outcome.status) else { throw Failure(command: arguments, outcome: outcome) }
            return outcome
        }
        let lines = try jisui("info --json *.pdf").output.split(separator: UInt8(ascii: "\n"))
        let all = try lines.map { try JSONDecoder().decode(Info.self, from: Data($0)) }
        infos = Dictionary(uniqueKeysWithValues: all.map { ($0.input, $0) })
        _ = try jisui("*.pdf -q -o '\(scratch("out/"))'")
    }

    func info(_ file: String) -> Info? { infos[file] }

    /// The path of what became of a page.
    func path(_ file: String, _ page: Int) -> String? {
        let folder = scratch("out/\(file.dropLast(4))")
        let digits = String(page)
        let number = String(repeating: "0", count: 4 - digits.count) + digits
        return Files.names(in: folder).first { $0.hasPrefix("\(number).") }.map { "\(folder)/\($0)" }
    }

    func page(_ file: String, _ page: Int) throws -> [UInt8] {
        try path(file, page).map { try Files.read($0) } ?? []
    }
}
