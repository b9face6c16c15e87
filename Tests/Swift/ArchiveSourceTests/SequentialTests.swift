import AdapterKit
import CDeflate
import Files
import PageModel
import Testing

@testable import ArchiveSource

@Suite struct SequentialTests {
    private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    private let tar = TarBuilder.bytes([
        (Array("2.jpg".utf8), picture([2])), (Array("1.jpg".utf8), picture([1])),
        (Array("notes".utf8), Array("x".utf8)),
    ])

    private func contents(_ path: String) throws -> [UInt8] {
        let file = try ReadableFile(path: path)
        return try file.read(at: 0, upTo: file.size)
    }

    @Test(arguments: [("rar4.rar", 3), ("rar5.rar", 1), ("rar5-solid.rar", 3), ("7zip.7z", 1)])
    func readsEveryPage(name: String, count: Int) async throws {
        let book = try await openArchive(fixture("good/\(name)"))
        #expect(book.names.count == count)
        for index in 0..<count { #expect(try await book.bytes(index).starts(with: png)) }
        #expect(book.warnings.isEmpty)
    }

    @Test func readsTars() async throws {
        let book = try await Scratch().open(tar, as: "book.jpg")
        #expect(book.names == ["1.jpg", "2.jpg"])
        #expect(try await book.bytes(1) == picture([2]))
        #expect(book.skipped == ["notes"])
    }

    @Test(arguments: ["7zip-encrypted.7z", "rar4-encrypted.rar"])
    func unsupportedEncryptionIsReported(name: String) async {
        let error = await failure { try await openArchive(fixture("bad/\(name)"), password: "komga") }
        #expect(error?.code == .unsupported && error?.message.english.contains("encryption") == true)
    }

    @Test func everyPrefixOfATarFailsCleanlyOrGivesWholePages() async throws {
        try await checkPrefixes(of: tar, step: 1, whole: [picture([1]), picture([2])])
    }

    @Test(arguments: ["rar4.rar", "rar5.rar", "rar5-solid.rar", "7zip.7z"])
    func prefixesFailCleanlyOrGiveWholePages(name: String) async throws {
        let path = fixture("good/\(name)")
        let book = try await openArchive(path)
        var whole: [[UInt8]] = []
        for index in book.names.indices { whole.append(try await book.bytes(index)) }
        try await checkPrefixes(of: try contents(path), step: 3, whole: whole)
    }

    private func checkPrefixes(of file: [UInt8], step: Int, whole: [[UInt8]]) async throws {
        let scratch = try Scratch()
        for count in stride(from: 0, to: file.count, by: step) {
            do {
                let book = try await scratch.open(Array(file[..<count]))
                for index in book.names.indices {
                    // A page is whole, or says that it is not, or throws.
                    guard let bytes = try? await book.bytes(index) else { continue }
                    let isDamaged = try await !book.defects(index).isEmpty
                    #expect(isDamaged != whole.contains(bytes), "\(count)")
                }
            } catch {
                #expect(error is AdapterError, "\(count)")
            }
        }
    }

    @Test func pagesAroundADamagedOneSurvive() async throws {
        let path = fixture("good/rar4.rar")
        var bytes = try contents(path)
        bytes[bytes.count / 2] ^= 0xFF
        let book = try await Scratch().open(bytes)
        #expect(book.names == ["komga-1.png", "komga-2.png", "komga-3.png"])
        #expect(try await book.bytes(0).starts(with: png))
        #expect(try await book.bytes(1).starts(with: png))
        for index in 0..<3 { #expect(try await book.defects(index).count == (index == 1 ? 1 : 0)) }
        #expect(try await book.bytes(2).starts(with: png))
    }

    @Test(arguments: ["rar5.rar", "rar5-solid.rar", "7zip.7z"]) func damagedDataIsAlwaysReported(name: String)
        async throws
    {
        var bytes = try contents(fixture("good/\(name)"))
        bytes[bytes.count / 3] ^= 0xFF
        do {
            let book = try await Scratch().open(bytes)
            #expect(["rar5.rar", "7zip.7z"].contains(name))
            for index in book.names.indices {
                #expect(try await book.defects(index).count == 1)
            }
        } catch let error as AdapterError {
            #expect(error.code == .damaged)
        }
    }

    /// Between two members, only the missing end reveals a cut; a header with a wrong checksum gives no information.
    @Test func tarWithMissingMembersHasAWarning() async throws {
        var wrong = tar
        wrong[512 * 2 + 150] ^= 1
        for (bytes, names) in [(Array(tar[..<(512 * 2)]), ["1.jpg"]), (wrong, ["1.jpg"])] {
            let book = try await Scratch().open(bytes)
            #expect(book.warnings.map(\.code) == ["damaged-archive"], "\(book.names)")
            #expect(book.names.count == names.count)
        }
        #expect(try await Scratch().open(tar).warnings.isEmpty)
    }

    /// libarchive does not look at gzip's checksums.
    @Test func damagedGzipHasAWarning() async throws {
        let sound = try gzip(tar)
        var wrong = sound
        wrong[sound.count - 6] ^= 1
        for (bytes, isDamaged) in [
            (sound, false), (sound + (try gzip([])), false), (sound + [0, 0, 0], false), (wrong, true),
        ] {
            let book = try await Scratch().open(bytes)
            #expect(book.names == ["1.jpg", "2.jpg"])
            #expect(book.warnings.map(\.code) == (isDamaged ? ["damaged-archive"] : []))
        }
    }

    /// Whether compressed data hold a tar is known from their beginning, or from the name if the beginning is missing.
    @Test func aCompressedTarWithoutABeginningIsDamaged() async throws {
        let cut = Array(try gzip(tar).prefix(40))
        for (name, message) in [
            ("a.cbt", "is damaged from its beginning"), ("a.tar.gz", "is damaged from its beginning"),
            ("a.gz", "unrecognized archive format"),
        ] {
            let error = await failure { try await Scratch().open(cut, as: name) }
            #expect(error?.message.english == message, "\(name)")
            #expect((error?.hint == .copyAgain) == (error?.code == .damaged), "\(name)")
        }
    }

    /// libarchive gives no reason for a torn 7z.
    @Test func damageWithoutAReasonNamesNone() async throws {
        #expect(StreamFault.error("", format: "7-Zip").explanation.english == "the archive is damaged")
        let signature: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]
        let error = await failure {
            try await Scratch().open(signature + [UInt8](repeating: 7, count: 400), as: "a.7z")
        }
        #expect(error?.code == .damaged && error?.hint == .copyAgain)
    }

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let compressor = try #require(libdeflate_alloc_compressor(6))
        defer { libdeflate_free_compressor(compressor) }
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 100) { buffer, count in
            count = libdeflate_gzip_compress(compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
        }
    }

    /// The beginning of a picture is worth keeping, as it is for a picture in a folder.
    @Test func truncatedPictureIsAPageWithADefect() async throws {
        let long = picture([UInt8](repeating: 7, count: 5000))
        let tar = TarBuilder.bytes([(Array("1.jpg".utf8), long)], isUstar: true)
        let book = try await Scratch().open(Array(tar[..<(512 + 3000)]))
        #expect(book.warnings.map(\.code) == ["damaged-archive"])
        let bytes = try await book.bytes(0)
        #expect(long.starts(with: bytes) && bytes.count == 3000)
        #expect(try await book.defects(0).count == 1)
        let text = TarBuilder.bytes(
            [(Array("1.jpg".utf8), [UInt8](repeating: 7, count: 5000))], isUstar: true)
        #expect(await failure { try await Scratch().open(Array(text[..<(512 + 3000)])).bytes(0) }?.code == .damaged)
    }

    @Test func aTruncatedTarKeepsItsWholePagesAndWarns() async throws {
        let book = try await Scratch().open(Array(tar[..<(512 * 3 + 10)]))
        #expect(book.names.first == "1.jpg" || book.names.first == "2.jpg")
        #expect(book.warnings.map(\.code) == ["damaged-archive"])
    }

    @Test func limitsHold() async {
        for limits in [Limits(pages: 1), Limits(entries: 1), Limits(totalBytes: 10)] {
            #expect(await failure { try await Scratch().open(tar, limits: limits) }?.code == .tooLarge)
        }
        #expect(await failure { try await Scratch().open(tar, limits: Limits(entryBytes: 5)) }?.code == .tooLarge)
    }

    /// A name of megabytes costs memory and time for every copy of it, and no file system could hold it.
    @Test func namesOfAbsurdLengthAreRefused() async throws {
        let long = "a/" + String(repeating: "n", count: 5000) + ".jpg"
        // The name as GNU tar writes it, as the data of an entry of its own.
        var header = Array(TarBuilder.bytes([(Array("././@LongLink".utf8), Array((long + "\0").utf8))])[..<512])
        header[156] = UInt8(ascii: "L")
        header.replaceSubrange(257..<265, with: Array("ustar  \0".utf8))
        let name = Array((long + "\0").utf8)
        let padding = [UInt8](repeating: 0, count: (512 - name.count % 512) % 512)
        let file =
            TarBuilder.withChecksum(header) + name + padding
            + TarBuilder.bytes([(Array("x.jpg".utf8), picture([1]))], isUstar: true)
        for bytes in [file, ZipBuilder([.init(long)]).bytes] {
            let error = await failure { try await Scratch().open(bytes) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.english.contains("4096") == true && (error?.description.count ?? 0) < 500)
        }
    }

    /// Up to a gigabyte regardless of the archive's size; beyond it, 200 times that size.
    @Test func archivesThatGrowOutOfProportionAreRefused() async throws {
        for (total, archive, isAllowed) in [
            (1 << 30, 10, true), ((1 << 30) + 1, 10, false), (9 << 30, 12 << 20, false), (2 << 30, 12 << 20, true),
            (200 * (100 << 20), 100 << 20, true), (200 * (100 << 20) + 200, 100 << 20, false),
        ] {
            let refusal = await failure { try ExpansionLimit.check(total, archiveBytes: archive) }
            #expect(refusal?.code == (isAllowed ? nil : .tooLarge), "\(total) of \(archive)")
        }
        let bomb = ZipBuilder(
            (0..<3).map {
                ZipBuilder.Item("\($0).jpg").with {
                    $0.statedSize = 400 << 20; $0.deflates = true
                }
            })
        let error = await failure { try await Scratch().open(bomb.bytes) }
        #expect(error?.code == .tooLarge && error?.hint?.english.contains("folder") == true)
    }

    /// tar keeps one copy of a file that has several names: each of them is a page.
    @Test func hardLinksArePages() async throws {
        var link = Array(TarBuilder.bytes([(Array("3.jpg".utf8), [])], isUstar: true)[..<512])
        link[156] = UInt8(ascii: "1")
        link.replaceSubrange(157..<162, with: Array("1.jpg".utf8))
        let files = TarBuilder.bytes(
            [(Array("1.jpg".utf8), picture([1])), (Array("2.jpg".utf8), picture([2]))], isUstar: true)
        let book = try await Scratch().open(
            Array(files.dropLast(1024)) + TarBuilder.withChecksum(link) + [UInt8](repeating: 0, count: 1024))
        #expect(book.names == ["1.jpg", "2.jpg", "3.jpg"])
        #expect(try await book.bytes(2) == picture([1]) && book.skipped.isEmpty)
    }

    @Test func partsAreFoundByName() throws {
        let scratch = try Scratch()
        let first = try scratch.file("x.part01.rar", [])
        _ = try scratch.file("x.part02.rar", [])
        #expect(try VolumeSet(startingAt: first).paths.count == 2)
        _ = try scratch.file("x.part04.rar", [])
        #expect(throws: AdapterError.missingPart("x.part03.rar")) { try VolumeSet(startingAt: first) }
        let old = try scratch.file("y.rar", [])
        let second = try scratch.file("Y.R00", [])
        #expect(try VolumeSet(startingAt: old).paths == [old, second])
        #expect(try VolumeSet(startingAt: old).nextName == "y.r01")
        #expect(throws: AdapterError.self) { try VolumeSet(startingAt: second) }
    }

    /// The upper halves of a RAR 4's sizes may make them negative, and lead back to where the walk has been.
    @Test func sizesBeyondAllMeasureEndTheWalk() throws {
        for (dataHigh, high) in [(0, 0), (0, 0xFFFF_FFFF), (0xFFFF_FFFF, 0), (0x7FFF_FFFF, 0x7FFF_FFFF)] {
            func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
            let facts = bytes(3, 4) + bytes(5, 4) + [0] + bytes(0xABCD, 4) + [UInt8](repeating: 0, count: 12)
            let body =
                [0x74] + bytes(0x100, 2) + bytes(7 + facts.count + 8, 2) + facts + bytes(dataHigh, 4) + bytes(high, 4)
            let file = [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 0] + bytes(0, 2) + body + bytes(0, 3)
            let scratch = try Scratch()
            let path = try scratch.file("a.rar", file)
            let members = RARHeaders(of: [path], limits: Limits(entries: 10)).members
            switch (dataHigh, high) {
            case (0, 0): #expect(members == [RARHeaders.Member(size: 5, checksum: 0xABCD)])
            case (0x7FFF_FFFF, _): #expect(members.map { $0.size } == [5 + 0x7FFF_FFFF << 32])
            default: #expect(members.isEmpty)
            }
        }
    }
}
