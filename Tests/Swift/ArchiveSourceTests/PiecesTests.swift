import AdapterKit
import Files
import PageModel
import Testing

@testable import ArchiveSource

/// Archives that were cut into parts.
@Suite struct PiecesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static let names = (1...6).map { "\($0).jpg" }

    private static func noise(_ number: UInt8) -> [UInt8] {
        picture((0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7 + Int(number)) })
    }

    private static var zip: [UInt8] {
        ZipBuilder(names.enumerated().map { ZipBuilder.Item($1, noise(UInt8($0))) }).bytes
    }

    /// Writes the pieces of a file, from `x.001` on, and returns the path of the first.
    private func cut(
        _ bytes: [UInt8], _ name: String, pieces: Int, without missing: Set<Int> = [], zeros: String = "00"
    ) throws -> String {
        let size = (bytes.count + pieces - 1) / pieces
        for number in 1...pieces where !missing.contains(number) {
            let part = bytes[((number - 1) * size)..<min(bytes.count, number * size)]
            _ = try scratch.file("\(name).\(zeros)\(number)", Array(part))
        }
        return "\(scratch.path)/\(name).\(zeros)1"
    }

    private func check(_ book: OpenedBook) async throws {
        #expect(book.names == Self.names && book.warnings.isEmpty)
        for index in Self.names.indices { #expect(try await book.bytes(index) == Self.noise(UInt8(index))) }
    }

    @Test(arguments: [2, 3, 9]) func piecesOfAZipAreOneArchive(_ count: Int) async throws {
        try await check(try await openArchive(try cut(Self.zip, "vol.zip", pieces: count)))
    }

    @Test func piecesWithTwoDigitsAreOneArchive() async throws {
        try await check(try await openArchive(try cut(Self.zip, "vol.zip", pieces: 3, zeros: "0")))
        let error = await failure { try await openArchive("\(scratch.path)/vol.zip.02") }
        #expect(error?.hint?.english == "give its first part: vol.zip.01")
        // The second issue, and not the second piece.
        let issue = try scratch.file("Saga.02", Self.zip)
        try await check(try await openArchive(issue))
    }

    /// A shell expands "vol.zip.*" to all pieces of one book.
    @Test func aPieceNamesThePartThatOpensIt() throws {
        let source = ArchiveSource()
        let first = try cut(Self.zip, "vol.zip", pieces: 3)
        #expect(source.openingPart(of: first) == nil)
        for number in 2...3 { #expect(source.openingPart(of: "\(scratch.path)/vol.zip.00\(number)") == first) }
        #expect(source.otherParts(of: first) == (2...3).map { "\(scratch.path)/vol.zip.00\($0)" })
        let issue = try scratch.file("Saga.002", Self.zip)
        #expect(source.otherParts(of: issue).isEmpty)
        #expect(source.openingPart(of: issue) == nil && source.openingPart(of: "\(scratch.path)/none.002") == nil)
    }

    @Test func piecesOfATarAreOneArchive() async throws {
        let files = Self.names.enumerated().map { (Array($1.utf8), Self.noise(UInt8($0))) }
        let tar = TarBuilder.bytes(files, isUstar: true)
        try await check(try await openArchive(try cut(tar, "vol.tar", pieces: 3)))
        let book = try await openArchive(try cut(tar, "other.tar", pieces: 3, without: [2]))
        #expect(!book.names.isEmpty && book.names.count < 6)
        #expect(
            book.warnings.contains { $0.message.english == "its part other.tar.002 is missing: pages may be missing" })
    }

    /// The directory in the last piece names the pages that are lost.
    @Test func aMissingPieceIsNamedWithItsPages() async throws {
        let book = try await openArchive(try cut(Self.zip, "vol.zip", pieces: 3, without: [2]))
        try #require(book.names == Self.names)
        var lost: [String] = []
        for index in Self.names.indices {
            do {
                #expect(try await book.bytes(index) == Self.noise(UInt8(index)))
            } catch let error as AdapterError {
                #expect(error.message.english == "is in the missing part vol.zip.002")
                lost.append(Self.names[index])
            }
        }
        #expect(lost.contains("4.jpg") && !lost.contains("1.jpg") && !lost.contains("6.jpg"))
    }

    @Test func theLastPieceIsNamedWithoutTheDirectory() async throws {
        let book = try await openArchive(try cut(Self.zip, "vol.zip", pieces: 3, without: [3]))
        #expect(book.names.count < 6 && book.names.count >= 3)
        #expect(book.warnings.map(\.message.english) == ["its part vol.zip.003 is missing: pages may be missing"])
    }

    @Test func aLaterPieceStatesTheFirst() async throws {
        _ = try cut(Self.zip, "vol.zip", pieces: 3)
        for number in 2...3 {
            let error = await failure { try await openArchive("\(scratch.path)/vol.zip.00\(number)") }
            #expect(error?.hint?.english == "give its first part: vol.zip.001")
        }
        _ = try cut(Self.zip, "lost.zip", pieces: 3, without: [1])
        for number in 2...3 {
            let error = await failure { try await openArchive("\(scratch.path)/lost.zip.00\(number)") }
            #expect(error?.message.english == "its part lost.zip.001 is missing")
        }
    }

    /// "Saga.001" is the first issue, and not a part of the second.
    @Test func wholeArchivesWithNumbersAreNotPieces() async throws {
        let first = try scratch.file("Saga.001", Self.zip)
        _ = try scratch.file("Saga.002", ZipBuilder(names: ["x.jpg"]).bytes)
        try await check(try await openArchive(first))
        #expect(try await openArchive("\(scratch.path)/Saga.002").names == ["x.jpg"])
    }

    /// The record at the end is searched in the whole file, because the file begins like a zip.
    @Test(arguments: [100, 70_000, 200_000, 1_000_000]) func bytesBehindAZipDoNotCount(_ count: Int) async throws {
        let tail = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await check(try await scratch.open(Self.zip + tail))
    }
}
