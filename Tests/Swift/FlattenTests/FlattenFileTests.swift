import Flatten
import PageModel
import Scratch
import Testing

@Suite struct FlattenFileTests {
    private let scratch: ScratchFolder
    private let path: String
    private let given: [String: String]
    private let book = SyntheticBook(rasters: [
        SyntheticCurve(shift: SyntheticCurve.fold(40)).raster, SyntheticCurve().raster,
    ])

    init() throws {
        scratch = try ScratchFolder()
        path = scratch("curves.json")
        given = ["flatten": "true", "flatten-file": path]
    }

    private func edit(_ old: String, _ new: String) throws {
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let parts = text.split(separator: old, omittingEmptySubsequences: false)
        try #require(parts.count > 1, "\(old) is not in \(text.prefix(300))")
        _ = try scratch.write("curves.json", Array(parts.joined(separator: new).utf8))
    }

    /// The result of following the file, without pages to examine.
    private func followed(_ name: String = "page", pages: Int = 2) async throws -> [Page] {
        try await SyntheticBook(rasters: []).flattened(given, pages: pages, name: name)
    }

    @Test func writtenCurvesAreApplied() async throws {
        let looked = try await book.flattened(given, isDryRun: true)
        #expect(looked[0].mesh != nil && looked[1].mesh == nil)
        let read = try await followed(pages: 3)
        #expect(read.prefix(2).map(\.edits) == looked.map(\.edits))
        #expect(read.prefix(2).map(\.flatness) == looked.map(\.flatness))
        #expect(read[2].flatness?.remark == "not flattened: the file of curves does not have it")
    }

    @Test func aPageCanBeTakenOut() async throws {
        _ = try await book.flattened(given, isDryRun: true)
        try edit("\"flattened\": true", "\"flattened\": false")
        let read = try await followed()
        #expect(read[0].edits.isEmpty)
        #expect(read[0].flatness?.remark == "not flattened: according to the file of curves")
        #expect(read[1].flatness?.remark == "not flattened: its lines are straight")
    }

    @Test(arguments: [
        ("\"columns\": 33", "\"columns\": 32"), ("\"across\": [", "\"across\": [0.5, "), ("\"page\": 2", "\"page\": 1"),
        ("\"flattened\": false", "\"flattened\": 3"), ("\"jisui-flatten\": 1", "\"jisui-flatten\": 2"),
        ("\"size\": [640, 900]", "\"size\": [640]"),
    ])
    func invalidFileIsRejected(_ old: String, _ new: String) async throws {
        _ = try await book.flattened(given, isDryRun: true)
        try edit(old, new)
        let error = await #expect(throws: AdapterError.self) { try await followed() }
        #expect(error?.code == .damaged && error?.file == path)
    }

    @Test func anotherBookIsRefused() async throws {
        _ = try await book.flattened(given, isDryRun: true)
        let error = await #expect(throws: AdapterError.self) { try await followed("leaf") }
        #expect(error?.message == "is of another book: its page 1 is 'page 1', not 'leaf 1'")
    }

    @Test func aChangedPageIsNotDewarped() async throws {
        var book = book
        book.digests = ["a", "b"]
        _ = try await book.flattened(given, isDryRun: true)
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        #expect(
            text.hasSuffix("], \"book\": {\"pages\": 2, \"digests\": {\n\"1\": \"image:a\",\n\"2\": \"image:b\"}}}\n"))
        #expect(try await book.flattened(given)[0].mesh != nil)
        book.digests = ["x", "b"]
        let changed = try await book.flattened(given)
        #expect(changed[0].mesh == nil)
        #expect(
            changed[0].flatness?.remark == "not flattened: the page has changed since the file of curves was made")
        #expect(changed[1].flatness?.remark == "not flattened: its lines are straight")
    }

    /// The later run does not look at the page, and warns about it all the same.
    @Test func damageIsKept() async throws {
        var book = book
        book.damage = "half of it is missing"
        let looked = try await book.flattened(given, isDryRun: true)
        let read = try await followed()
        #expect(read.map(\.flatness) == looked.map(\.flatness))
        #expect(read.map { $0.flatness?.damage } == ["half of it is missing", "half of it is missing"])
    }

    @Test func aPageThatCannotBeReadHasNoEntry() async throws {
        _ = try await book.flattened(given, isDryRun: true, pages: 3)
        #expect(!String(decoding: try Files.read(path), as: UTF8.self).contains("\"page\": 3"))
        #expect(
            try await followed(pages: 3)[2].flatness?.remark == "not flattened: the file of curves does not have it")
    }

    @Test func theFileAloneHasNoEffect() async throws {
        let error = await #expect(throws: AdapterError.self) { try await book.flattened(["flatten-file": path]) }
        #expect(error?.code == .usage && error?.message == "--flatten-file has no effect without --flatten")
    }
}
