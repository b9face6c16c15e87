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

    /// Only members that have to be unpacked are always read as a whole.
    @Test func storedMembersAreReadInPortions() async throws {
        let long = picture([UInt8](repeating: 7, count: 200_000))
        let damaged = ZipBuilder.Item("3.jpg", long).with { $0.statedChecksum = 1 }
        let deflated = ZipBuilder.Item("2.jpg", long).with { $0.deflates = true }
        let book = try await open(ZipBuilder([ZipBuilder.Item("1.jpg", long), deflated, damaged]))
        let pages = try await book.pictures()
        let stored = try #require(try pages[0].open?())
        #expect(stored.count == long.count)
        #expect(try stored.read(100_000, 70_000) == Array(long[100_000..<170_000]))
        #expect(try stored.findDefect() == nil)
        #expect(pages[1].open == nil)
        let other = try #require(try pages[2].open?())
        #expect(try other.findDefect() == "its checksum is wrong")
    }

    @Test func directoryIsFoundBeforeACommentThatIsAZip() async throws {
        var builder = ZipBuilder([page])
        builder.comment = ZipBuilder(names: ["wrong.jpg"]).bytes
        #expect(try await open(builder).names == ["1.jpg"])
    }

    @Test(arguments: [false, true]) func zipAfterJunkIsRead(zip64: Bool) async throws {
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

    @Test func bytesAfterTheEndAreTolerated() async throws {
        #expect(try await Scratch().open(ZipBuilder([page]).bytes + [0, 0, 0]).names == ["1.jpg"])
    }

    /// A table of contents that lists data twice, or beyond the file, is not believed.
    @Test func entriesThatOverlapAreReadOnce() async throws {
        let bomb = ZipBuilder([page, ZipBuilder.Item("2.jpg").with { $0.sharesOffsetOf = 0 }])
        let book = try await open(bomb)
        #expect(book.names == ["1.jpg", "2.jpg"] && book.warnings.map(\.code) == ["damaged-archive"])
        #expect(book.warnings.first?.message == "two of the archive's entries overlap: pages may be missing")
        var outside = ZipBuilder([page, ZipBuilder.Item("2.jpg")]).bytes
        outside[try #require(outside.ranges(of: [0x50, 0x4B, 1, 2]).last).lowerBound + 45] ^= 0x7F
        #expect(try await Scratch().open(outside).names == ["1.jpg", "2.jpg"])
    }

    /// A picture with a flipped bit is still a picture.
    @Test(arguments: [false, true]) func wrongChecksumIsReported(deflates: Bool) async throws {
        let book = try await open(
            ZipBuilder([
                page.with {
                    $0.statedChecksum = 1; $0.deflates = deflates
                }, ZipBuilder.Item("2.jpg"),
            ]))
        #expect(try await book.bytes(0) == page.data)
        #expect(try await book.defects(0) == ["its checksum is wrong"])
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
        let book = try await open(
            ZipBuilder([
                page.with {
                    $0.statedSize = size; $0.deflates = true
                }
            ]))
        let error = await ArchiveSourceTests.failure { try await book.bytes(0) }
        if error == nil { #expect(try await book.defects(0) == ["its compressed data is damaged"]) }
        #expect(error == nil || error?.code == .damaged)
    }

    /// libdeflate gives nothing of such data.
    @Test func theBeginningOfDamagedDataIsAPage() async throws {
        let noise = picture((0..<40_000).map { _ in UInt8.random(in: 0...15) })
        var bytes = ZipBuilder([ZipBuilder.Item("1.jpg", noise).with { $0.deflates = true }, page]).bytes
        // The first code of a block of an unknown type.
        bytes.replaceSubrange(12_000..<12_400, with: [UInt8](repeating: 0xFF, count: 400))
        let book = try await Scratch().open(bytes)
        let rest = try await book.bytes(0)
        #expect(rest.count > 1000 && rest.prefix(1000) == noise.prefix(1000))
        #expect(try await book.defects(0).count == 1)
    }

    /// The complete parts of an interrupted download are worth keeping.
    @Test(arguments: [false, true]) func truncatedZipGivesItsRemainingPages(deflates: Bool) async throws {
        let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255) }
        let pages = ["1.jpg", "2.jpg", "3.jpg"].map {
            ZipBuilder.Item($0, picture(noise)).with { $0.deflates = deflates }
        }
        let bytes = ZipBuilder(pages).bytes
        let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound)
        for (count, whole) in [(directory, 3), (directory + 30, 3), (directory - 20_000, 2), (50_000, 1)] {
            let book = try await Scratch().open(Array(bytes[..<count]))
            #expect(
                book.names == pages.prefix(whole < 3 ? whole + 1 : 3).map { String(decoding: $0.name, as: UTF8.self) })
            #expect(book.warnings.map(\.code) == ["damaged-archive"])
            for index in 0..<whole { #expect(try await book.bytes(index) == pages[index].data) }
            if whole < 3 {
                let rest = try await book.bytes(whole)
                #expect(pages[whole].data.starts(with: rest) && rest.count > 1000)
                #expect(try await book.defects(whole).count == 1)
            }
        }
        #expect(await ArchiveSourceTests.failure { try await Scratch().open(Array(bytes[..<33])) }?.code == .damaged)
    }

    /// Their pictures are not stored in page order.
    @Test(arguments: ["mimetype", "META-INF/container.xml", "[Content_Types].xml"])
    func truncatedBookOfAnotherFormatIsRejected(name: String) async throws {
        let bytes = ZipBuilder(names: [name, "1.jpg", "2.jpg"]).bytes
        let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound)
        let error = await ArchiveSourceTests.failure { try await Scratch().open(Array(bytes[..<directory])) }
        #expect(error?.message == "the archive has no list of entries: it ends too early")
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

    @Test func everyPrefixFailsCleanlyOrReportsDamage() async throws {
        let items = [page, ZipBuilder.Item("2.jpg", picture([9]))]
        let whole = ZipBuilder(items).bytes
        let scratch = try Scratch()
        for count in 0..<whole.count {
            do {
                let book = try await scratch.open(Array(whole[..<count]))
                #expect(book.warnings.map(\.code) == ["damaged-archive"], "\(count)")
                for index in book.names.indices {
                    guard let bytes = try? await book.bytes(index) else { continue }
                    let isDamaged = try await !book.defects(index).isEmpty
                    #expect(isDamaged != (bytes == items[index].data), "\(count)")
                }
            } catch let error as AdapterError {
                #expect(error.code == .damaged || error.code == .unsupported, "\(count)")
            }
        }
    }

    @Test func splitZipErrorHasAHint() async {
        let part = [0x50, 0x4B, 7, 8] + ZipBuilder([page]).bytes.dropLast(60)
        #expect(
            await ArchiveSourceTests.failure { try await Scratch().open(part) }?.hint?.english.contains("zip -s 0")
                == true)
    }

    @Test func otherMethodsAndPasswordsGoThroughLibarchive() async throws {
        #expect(try await openArchive(fixture("good/zip-bzip2.zip")).bytes(0).starts(with: [0x42, 0x4D]))
        let secret = fixture("good/zip-encrypted.zip")
        #expect(try await openArchive(secret, password: "komga").bytes(0).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let missing = await ArchiveSourceTests.failure { try await openArchive(secret) }
        #expect(missing?.code == .encrypted && missing?.hint?.english.contains("--password-file") == true)
        let wrong = await ArchiveSourceTests.failure { try await openArchive(secret, password: "komgb") }
        #expect(wrong?.code == .encrypted && wrong?.message == "the password is wrong")
    }
}
