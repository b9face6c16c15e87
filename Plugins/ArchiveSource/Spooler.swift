internal import AdapterKit
internal import Imaging
internal import ZipFile

/// Reads an archive once, in sequence, and keeps what is wanted in a temporary file.
struct Spooler {
    /// An entry and, where it was kept, its content.
    struct Spooled {
        let entry: StreamEntry
        let content: (any MemberContent)?
    }

    /// What a spooler tells of its work.
    enum Event {
        /// An entry is about to be unpacked.
        case began(StreamEntry)
        /// These bytes of it were unpacked.
        case wentOn(UnsafeRawBufferPointer)
        case finished(Spooled)
    }

    /// The entries so far, in the archive's order, behind those that were passed over.
    private(set) var entries: [Spooled] = []
    /// Why the archive could not be read to its end.
    private(set) var breakage: AdapterError?

    /// What is wrong with something between the entries that was passed over.
    private var gap: AdapterError?
    /// Whether something was decrypted that is sound: the password is right.
    private var hasDecrypted = false

    private let request: UnpackingRequest
    private let spool: SpoolFile
    private let tell: (Event) throws(AdapterError) -> Void
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

    /// - Parameters:
    ///   - spool: where members are kept.
    ///   - tell: gets to know how it goes. What it throws while an entry is unpacked becomes that entry's fault.
    /// - Throws: `.unreadable`.
    init(
        _ request: UnpackingRequest, into spool: SpoolFile,
        tell: @escaping (Event) throws(AdapterError) -> Void = { _ in }
    ) throws(AdapterError) {
        self.request = request
        self.spool = spool
        self.tell = tell
        headers = RARHeaders(of: request.volumes.paths, limits: request.limits)
        ledger = Ledger(archiveBytes: try request.volumes.byteCount(), kept: request.kept, limits: request.limits)
    }

    private var known: Int { request.passedOver + entries.count }

    /// Reads the archive as far as it can be read.
    ///
    /// - Throws: `.damaged` when there is nothing to begin with, `.tooLarge`, `.unwritable`, `.unreadable`.
    mutating func run() throws(AdapterError) {
        for _ in 0..<Spooler.greatestOpenings {
            let before = entries.count
            let stream = try ArchiveStream(
                paths: request.volumes.paths, formats: request.formats, password: request.password)
            switch try pass(over: stream) {
            case .complete:
                breakage = gap
                return
            case .broken(let error):
                // Behind a fault, not even the next entry could be found: the fault is what to tell of.
                if entries.count > before || breakage == nil { breakage = error }
                return
            case .stopped(let error):
                breakage = error
            }
        }
    }

    /// Goes over the archive once, past the entries that an earlier pass has dealt with.
    private mutating func pass(over stream: borrowing ArchiveStream) throws(AdapterError) -> Ending {
        let block = Block(count: Spooler.blockCount)
        var index = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            switch stream.next() {
            case .end:
                return .complete
            case .gap(let error):
                gap = gap ?? error
            case .broken(let error):
                return .broken(error)
            case .entry(let entry):
                defer { index += 1 }
                guard index < request.limits.entries else { throw .tooManyEntries(request.limits) }
                if let name = entry.name { try EntryNames.checkLength(of: name) }
                if index < known { continue }
                let treatment = entry.form == .file ? request.wanted.treatment(of: entry, at: index) : .skip
                if treatment == .skip {
                    if stream.decompressesWhatItSkips { try ledger.pass(max(0, entry.size ?? 0)) }
                    try note(Spooled(entry: entry, content: nil))
                    continue
                }
                try tell(.began(entry))
                let (content, stop) = try unpack(entry, of: stream, through: block, treatment)
                try note(Spooled(entry: entry, content: content))
                if let stop { return .stopped(stop) }
            }
        }
    }

    private mutating func note(_ spooled: Spooled) throws(AdapterError) {
        entries.append(spooled)
        if spooled.entry.isEncrypted, let member = spooled.content as? SpooledMember, member.defect == nil {
            hasDecrypted = true
        }
        try tell(.finished(spooled))
    }

    /// Unpacks one entry; what is wrong with it becomes its content.
    ///
    /// - Returns: the content, nil for what is no picture, and the fault that stopped libarchive, if one did.
    private mutating func unpack(
        _ entry: StreamEntry, of stream: borrowing ArchiveStream, through block: borrowing Block,
        _ treatment: UnpackingRequest.Treatment
    ) throws(AdapterError) -> ((any MemberContent)?, stop: AdapterError?) {
        if entry.isEncrypted && stream.formatName != "zip" {
            let error = StreamFault.unreadableEncryption(format: stream.formatName, isRAR4: stream.isRAR4)
            return (FaultyMember(error: error), nil)
        }
        var start: Int?
        var total = 0
        var sum: UInt32 = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            let chunk = stream.read(into: block.bytes)
            let stop = chunk.isOver ? chunk.fault : nil
            if chunk.count > 0 || chunk.fault == nil {
                let piece = UnsafeRawBufferPointer(rebasing: block.bytes.prefix(chunk.count))
                if treatment == .keepIfPicture && total == 0 {
                    guard PictureHeader(Array(piece.prefix(PictureHeader.headCount))) != nil else { return (nil, stop) }
                }
                total += chunk.count
                sum = CRC32.of(piece, after: sum)
                if let fault = excess(of: entry, after: total) { return (FaultyMember(error: fault), stop) }
                try ledger.keep(chunk.count)
                let offset = try spool.append(piece)
                do {
                    try tell(.wentOn(piece))
                } catch {
                    return (FaultyMember(error: error), stop)
                }
                start = start ?? offset
            }
            if chunk.fault == nil && chunk.count == block.bytes.count { continue }
            guard let start else {
                return (treatment == .keep ? chunk.fault.map(FaultyMember.init) : nil, stop)
            }
            let member = SpooledMember(spool: spool, offset: start, byteCount: total)
            let isComplete = stream.isPlainTar && total == entry.size
            guard !isComplete, let fault = chunk.fault ?? fault(of: entry, after: total, sum) else {
                return (member, stop)
            }
            return (salvaged(member, fault, isEncrypted: entry.isEncrypted), stop)
        }
    }

    /// What can be had of a member with a fault: a picture of which something is there, or nothing but the fault.
    private func salvaged(_ member: SpooledMember, _ fault: AdapterError, isEncrypted: Bool) -> any MemberContent {
        guard fault.code == .damaged, let head = try? member.head(), PictureHeader(head) != nil else {
            // One wrong password in 256 shows only here.
            let isLocked = isEncrypted && !hasDecrypted && fault.code == .damaged
            return FaultyMember(error: isLocked ? .passwordWrong : fault)
        }
        var member = member
        member.defect = fault.explanation
        return member
    }

    /// What the number of bytes unpacked so far says against the entry.
    private func excess(of entry: StreamEntry, after total: Int) -> AdapterError? {
        if total > request.limits.entryBytes {
            return AdapterError(.tooLarge, "has more than the \(request.limits.entryBytes) bytes allowed")
        }
        if let size = entry.size, total > size { return AdapterError(.damaged, "has more bytes than the archive says") }
        return nil
    }

    /// What the number and the checksum of all bytes say against the entry that comes after those that are known.
    private func fault(of entry: StreamEntry, after total: Int, _ sum: UInt32) -> AdapterError? {
        if headers.members.indices.contains(known) {
            let stated = headers.members[known]
            if stated.size == total, let expected = stated.checksum, expected != sum {
                return AdapterError(.damaged, CRC32.mismatch)
            }
        }
        if let size = entry.size, total < size { return AdapterError(.damaged, "ends too early") }
        return nil
    }
}

/// A member that was unpacked into a temporary file.
struct SpooledMember: MemberContent {
    let spool: SpoolFile
    let offset: Int
    let byteCount: Int
    var defect: String?

    init(spool: SpoolFile, offset: Int, byteCount: Int, defect: String? = nil) {
        self.spool = spool
        self.offset = offset
        self.byteCount = byteCount
        self.defect = defect
    }

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
    private var kept: Int
    private var passed: Int

    /// No pictures grow this many times; bombs do.
    private static let greatestGrowth = 1000
    private static let harmlessCount = 10 << 20

    /// - Parameters:
    ///   - archiveBytes: the size of the archive, all parts together.
    ///   - kept: the bytes that were kept before.
    init(archiveBytes: Int, kept: Int = 0, limits: Limits) {
        self.archiveBytes = archiveBytes
        self.kept = kept
        passed = kept
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
