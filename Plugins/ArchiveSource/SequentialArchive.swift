internal import AdapterKit
internal import Imaging
internal import Metadata
internal import ZipFile

/// Lists what is in an archive that can only be read from its beginning to its end, and unpacks its pages.
enum SequentialArchive {
    /// - Throws: `.damaged` when not one page can be read, `.tooLarge`, `.encrypted`, `.unsupported`, `.unwritable`.
    static func contents(
        of volumes: VolumeSet, password: String?, limits: Limits
    ) throws(AdapterError) -> ArchiveContents {
        var spooler = try Spooler(volumes, formats: .sequential, password: password, limits: limits)
        try spooler.run { index, entry in
            switch EntryRole(name(of: entry, at: index)) {
            case .picture: .keep
            case .unclear: .keepIfPicture
            case .document: (entry.size ?? 0) <= BookDocument.mostBytes ? .keep : .skip
            case .other: .skip
            }
        }
        var contents = ArchiveContents()
        var known: [[UInt8]: any MemberContent] = [:]
        for (index, spooled) in spooler.entries.enumerated() {
            let name = name(of: spooled.entry, at: index)
            var content = spooled.content
            switch spooled.entry.form {
            case .folder: continue
            case .file:
                // It was too large to be unpacked.
                if content == nil, EntryRole(name) == .document {
                    content = FaultyMember(error: BookDocument.tooLarge)
                }
            case .other:
                // What a hard link leads to is a page under this name, too, if it was one under the other.
                content = spooled.entry.linkTarget.flatMap { known[$0] }
                if content == nil {
                    contents.oddities.append(name)
                    continue
                }
            }
            known[name.bytes] = content
            contents.entries.append(Entry(name: name, role: EntryRole(name), content: content))
        }
        if let breakage = spooler.breakage {
            // The first of several parts alone always breaks; the reason is not damage.
            if volumes.paths.count == 1, let next = volumes.nextName, RARVolume.isOneOfSeveral(volumes.paths[0]) {
                throw .missingPart(next)
            }
            try contents.note(breakage)
        }
        try contents.requireAnyPage()
        return contents
    }

    /// The entry's name; those that libarchive could not make out still get one.
    private static func name(of entry: StreamEntry, at index: Int) -> RawName {
        if let name = entry.name, !name.bytes.isEmpty { return name }
        return RawName(bytes: Array("entry \(index + 1)".utf8))
    }
}

/// Reads an archive once, in sequence, and keeps what is wanted in a temporary file.
struct Spooler {
    /// What to do with an entry.
    enum Treatment {
        case skip
        case keep
        case keepIfPicture
    }

    /// An entry and, where it was kept, its content.
    struct Spooled {
        let entry: StreamEntry
        let content: (any MemberContent)?
    }

    /// The entries so far, in the archive's order.
    private(set) var entries: [Spooled] = []
    /// Why the archive could not be read to its end.
    private(set) var breakage: AdapterError?

    private let volumes: VolumeSet
    private let formats: ArchiveStream.Formats
    private let password: String?
    private let limits: Limits
    private let spool: SpoolFile
    private var ledger: Ledger
    /// The checksums that libarchive leaves to others.
    private let headers: RARHeaders

    /// Bytes that are unpacked at a time.
    private static let blockCount = 1 << 18

    /// After a fault that stops libarchive the archive is opened again to read on behind it; a file that needs
    /// this more often is beyond help.
    private static let greatestOpenings = 16

    private enum Ending {
        case complete
        case broken(AdapterError)
        /// libarchive has stopped, but the archive may go on.
        case stopped(AdapterError)
    }

    /// - Throws: `.unreadable`, `.unwritable`.
    init(_ volumes: VolumeSet, formats: ArchiveStream.Formats, password: String?, limits: Limits) throws(AdapterError) {
        self.volumes = volumes
        self.formats = formats
        self.password = password
        self.limits = limits
        spool = try SpoolFile()
        headers = RARHeaders(of: volumes.paths, limits: limits)
        ledger = Ledger(archiveBytes: try volumes.byteCount(), limits: limits)
    }

    /// Reads the archive as far as it can be read.
    ///
    /// - Parameter treatment: what to do with an entry, by its place in the archive.
    /// - Throws: `.damaged` when there is nothing to begin with, `.tooLarge`, `.unwritable`, `.unreadable`.
    mutating func run(_ treatment: (Int, StreamEntry) -> Treatment) throws(AdapterError) {
        for _ in 0..<Spooler.greatestOpenings {
            let known = entries.count
            let stream = try ArchiveStream(paths: volumes.paths, formats: formats, password: password)
            switch try pass(over: stream, treatment) {
            case .complete:
                breakage = nil
                return
            case .broken(let error):
                // Behind a fault, not even the next entry could be found: the fault is what to tell of.
                if entries.count > known || breakage == nil { breakage = error }
                return
            case .stopped(let error):
                breakage = error
            }
        }
    }

    /// Goes over the archive once, past the entries that an earlier pass has dealt with.
    private mutating func pass(
        over stream: borrowing ArchiveStream, _ treatment: (Int, StreamEntry) -> Treatment
    ) throws(AdapterError) -> Ending {
        let block = Block(count: Spooler.blockCount)
        var index = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            switch stream.next() {
            case .end:
                return .complete
            case .broken(let error):
                return .broken(error)
            case .entry(let entry):
                defer { index += 1 }
                guard index < limits.entries else { throw .tooManyEntries(limits) }
                if let name = entry.name { try EntryNames.checkLength(of: name) }
                if index < entries.count { continue }
                let treatment = entry.form == .file ? treatment(index, entry) : .skip
                if treatment == .skip {
                    if stream.decompressesWhatItSkips { try ledger.pass(max(0, entry.size ?? 0)) }
                    entries.append(Spooled(entry: entry, content: nil))
                    continue
                }
                let (content, stop) = try unpack(entry, of: stream, through: block, treatment)
                entries.append(Spooled(entry: entry, content: content))
                if let stop { return .stopped(stop) }
            }
        }
    }

    /// Unpacks one entry; what is wrong with it becomes its content.
    ///
    /// - Returns: the content, nil for what is no picture, and the fault that stopped libarchive, if one did.
    private mutating func unpack(
        _ entry: StreamEntry, of stream: borrowing ArchiveStream, through block: borrowing Block,
        _ treatment: Treatment
    ) throws(AdapterError) -> ((any MemberContent)?, stop: AdapterError?) {
        if entry.isEncrypted && stream.formatName != "zip" {
            return (FaultyMember(error: StreamFault.unreadableEncryption(format: stream.formatName)), nil)
        }
        var start: Int?
        var total = 0
        var sum: UInt32 = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            switch stream.read(into: block.bytes) {
            case .fault(let error, let isOver):
                return (treatment == .keep || total > 0 ? FaultyMember(error: error) : nil, isOver ? error : nil)
            case .bytes(let count):
                if treatment == .keepIfPicture && total == 0 {
                    let head = Array(block.bytes.prefix(min(count, PictureHeader.headCount)))
                    guard PictureHeader(head) != nil else { return (nil, nil) }
                }
                total += count
                let piece = UnsafeRawBufferPointer(rebasing: block.bytes.prefix(count))
                sum = CRC32.of(piece, after: sum)
                if let fault = fault(of: entry, after: total, sum, isAtEnd: count < block.bytes.count) {
                    return (FaultyMember(error: fault), nil)
                }
                try ledger.keep(count)
                let offset = try spool.append(piece)
                start = start ?? offset
                if count < block.bytes.count {
                    return (SpooledMember(spool: spool, offset: start ?? offset, byteCount: total), nil)
                }
            }
        }
    }

    /// What the number of bytes unpacked so far, and in the end their checksum, say against the entry that comes
    /// after `entries`.
    private func fault(of entry: StreamEntry, after total: Int, _ sum: UInt32, isAtEnd: Bool) -> AdapterError? {
        if total > limits.entryBytes {
            return AdapterError(.tooLarge, "has more than the \(limits.entryBytes) bytes allowed")
        }
        if isAtEnd, headers.members.indices.contains(entries.count) {
            let stated = headers.members[entries.count]
            if stated.size == total, let expected = stated.checksum, expected != sum {
                return AdapterError(.damaged, "its checksum is wrong")
            }
        }
        guard let size = entry.size else { return nil }
        if total > size { return AdapterError(.damaged, "has more bytes than the archive says") }
        return isAtEnd && total < size ? AdapterError(.damaged, "ends too early") : nil
    }
}

/// A member that was unpacked into a temporary file.
struct SpooledMember: MemberContent {
    let spool: SpoolFile
    let offset: Int
    let byteCount: Int

    func head() throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: min(byteCount, PictureHeader.headCount))
    }

    func part(at start: Int, upTo count: Int) throws(AdapterError) -> [UInt8]? {
        let start = min(start, byteCount)
        return try spool.read(at: offset + start, count: min(count, byteCount - start))
    }

    func bytes() throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: byteCount)
    }
}

/// Counts the bytes that an archive unpacks to, and refuses absurd amounts.
struct Ledger {
    private let archiveBytes: Int
    private let limits: Limits
    private var kept = 0
    private var passed = 0

    /// No pictures grow this many times; bombs do.
    private static let greatestGrowth = 1000
    private static let harmlessCount = 10 << 20

    /// - Parameter archiveBytes: the size of the archive, all parts together.
    init(archiveBytes: Int, limits: Limits) {
        self.archiveBytes = archiveBytes
        self.limits = limits
    }

    /// Notes bytes that were unpacked and are kept.
    ///
    /// - Throws: `.tooLarge`.
    mutating func keep(_ count: Int) throws(AdapterError) {
        kept += count
        guard kept <= limits.totalBytes else {
            throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
        }
        try Growth.check(kept, archiveBytes: archiveBytes)
        try pass(count)
    }

    /// Notes bytes that have to be unpacked although nobody wants them.
    ///
    /// - Throws: `.tooLarge`.
    mutating func pass(_ count: Int) throws(AdapterError) {
        passed = passed.addingReportingOverflow(count).overflow ? .max : passed + count
        guard passed <= Ledger.harmlessCount || passed / Ledger.greatestGrowth <= archiveBytes else {
            throw AdapterError(.tooLarge, "would grow more than \(Ledger.greatestGrowth) times when unpacked")
        }
    }
}
