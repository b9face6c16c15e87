import AdapterKit
import PageModel
import Testing

@testable import ArchiveSource

@Suite struct ZipTests {
    private let page = ZipBuilder.Item("1.jpg", picture([1, 2, 3]))

    private func open(_ builder: ZipBuilder, limits: Limits = Limits()) async throws -> OpenedBook {
        try await Scratch().open(builder.bytes, limits: limits)
    }

    private func failure(of item: ZipBuilder.Item, limits: Limits = Limits()) async throws -> AdapterError? {
        let book = try await open(ZipBuilder([item]), limits: limits)
        return await ArchiveSourceTests.failure { try await book.bytes(0) }
    }

    @Test func readsStoredAndDeflatedMembers() async throws {
        let long = picture([UInt8](repeating: 7, count: 200_000))
        let book = try await open(ZipBuilder([page, ZipBuilder.Item("2.jpg", long).with { $0.deflates = true }]))
        #expect(try await book.bytes(0) == page.data)
        #expect(try await book.bytes(1) == long)
        #expect(book.warnings.isEmpty)
    }

    @Test func findsTheTableBehindACommentThatIsItselfAZip() async throws {
        var builder = ZipBuilder([page])
        builder.comment = ZipBuilder(names: ["wrong.jpg"]).bytes
        #expect(try await open(builder).names == ["1.jpg"])
    }

    @Test(arguments: [false, true]) func readsBehindJunk(zip64: Bool) async throws {
        var builder = ZipBuilder([page])
        builder.prefix = Array("#!/bin/sh\nexit 0\n".utf8)
        builder.zip64 = zip64
        #expect(try await open(builder).bytes(0) == page.data)
    }

    @Test func readsZip64() async throws {
        var builder = ZipBuilder([page.with { $0.zip64 = true }])
        builder.zip64 = true
        #expect(try await open(builder).bytes(0) == page.data)
    }

    @Test func toleratesBytesBehindTheEnd() async throws {
        #expect(try await Scratch().open(ZipBuilder([page]).bytes + [0, 0, 0]).names == ["1.jpg"])
    }

    @Test func refusesEntriesThatOverlap() async {
        let bomb = ZipBuilder([page, ZipBuilder.Item("2.jpg").with { $0.sharesOffsetOf = 0 }])
        #expect(await ArchiveSourceTests.failure { try await open(bomb) }?.message.contains("overlap") == true)
    }

    /// A picture of which a bit has flipped is still a picture.
    @Test(arguments: [false, true]) func aWrongChecksumIsTold(deflates: Bool) async throws {
        let book = try await open(
            ZipBuilder([
                page.with {
                    $0.statedChecksum = 1; $0.deflates = deflates
                }, ZipBuilder.Item("2.jpg"),
            ]))
        #expect(try await book.bytes(0) == page.data)
        #expect(try await book.defects(0) == ["its checksum is wrong: something in it may be damaged"])
        #expect(try await book.defects(1).isEmpty)
    }

    /// Names and numbers with an error in them would only mislead.
    @Test func metadataWithAWrongChecksumAreNotUsed() async throws {
        let facts = Array("<ComicInfo><Title>T</Title></ComicInfo>".utf8)
        for (checksum, title) in [(nil, "T"), (UInt32(1), nil)] {
            let book = try await open(
                ZipBuilder([
                    page, ZipBuilder.Item("ComicInfo.xml", facts).with { $0.statedChecksum = checksum },
                ]))
            #expect(book.sequence.book.title == title)
            #expect(book.warnings.map(\.code) == (checksum == nil ? [] : ["bad-metadata"]))
        }
    }

    @Test(arguments: [0, 5, 5000]) func aSizeThatLiesIsThePagesFault(size: Int) async throws {
        #expect(try await failure(of: page.with { $0.statedSize = size })?.code == .damaged)
        #expect(
            try await failure(
                of: page.with {
                    $0.statedSize = size; $0.deflates = true
                })?.code == .damaged)
    }

    @Test func absurdGrowthIsRefusedBeforeMemoryIsTaken() async throws {
        let error = try await failure(
            of: page.with {
                $0.statedSize = 1 << 30; $0.deflates = true
            })
        #expect(error?.code == .tooLarge)
    }

    @Test func limitsHold() async throws {
        #expect(try await failure(of: page, limits: Limits(entryBytes: 10))?.code == .tooLarge)
        let two = ZipBuilder(names: ["1.jpg", "2.jpg"])
        for limits in [Limits(pages: 1), Limits(entries: 1), Limits(totalBytes: 30)] {
            #expect(await ArchiveSourceTests.failure { try await open(two, limits: limits) }?.code == .tooLarge)
        }
    }

    @Test func anEntryOutsideTheFileIsDamage() async {
        var bytes = ZipBuilder([page]).bytes
        bytes[bytes.count - 22 - 5 - 2] = 0x7F
        #expect(await ArchiveSourceTests.failure { try await Scratch().open(bytes) }?.code == .damaged)
    }

    @Test func everyPrefixFailsCleanly() async throws {
        let whole = ZipBuilder(names: ["1.jpg", "2.jpg"]).bytes
        let scratch = try Scratch()
        for count in 0..<whole.count {
            let error = await ArchiveSourceTests.failure { try await scratch.open(Array(whole[..<count])) }
            #expect(error?.code == .damaged || error?.code == .unsupported, "\(count)")
        }
    }

    @Test func aCutZipSaysSo() async {
        let part = [0x50, 0x4B, 7, 8] + ZipBuilder([page]).bytes.dropLast(60)
        #expect(
            await ArchiveSourceTests.failure { try await Scratch().open(part) }?.advice?.contains("zip -s 0") == true)
    }

    @Test func otherMethodsAndPasswordsGoThroughLibarchive() async throws {
        #expect(try await openArchive(fixture("good/zip-bzip2.zip")).bytes(0).starts(with: [0x42, 0x4D]))
        let secret = fixture("good/zip-encrypted.zip")
        #expect(try await openArchive(secret, password: "komga").bytes(0).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let missing = await ArchiveSourceTests.failure { try await openArchive(secret) }
        #expect(missing?.code == .encrypted && missing?.advice?.contains("--password-file") == true)
        let wrong = await ArchiveSourceTests.failure { try await openArchive(secret, password: "komgb") }
        #expect(wrong?.code == .encrypted && wrong?.message == "the password is wrong")
    }
}
