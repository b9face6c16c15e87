internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel
internal import ZipFile

/// A spooler that reads an archive once, in sequence, and stores the requested entries in a temporary file.
struct Spooler {
    /// An entry and its content, if it was stored.
    struct Spooled {
        let entry: StreamEntry
        let content: (any MemberContent)?
    }

    /// A progress event of a spooler.
    enum Event {
        /// The unpacking of an entry begins.
        case began(StreamEntry)
        /// These bytes of it were unpacked.
        case continued(UnsafeRawBufferPointer)
        case finished(Spooled)
    }

    /// The entries so far, in the archive's order, after the skipped ones.
    private(set) var entries: [Spooled] = []
    /// The reason that the archive could not be read to its end.
    private(set) var readError: AdapterError?

    /// The defect of skipped data between the entries.
    private var gap: AdapterError?
    /// Whether decrypted data were intact: the password is right.
    private var hasDecrypted = false

    private let request: UnpackingRequest
    private let spool: SpoolFile
    private let report: (Event) throws(AdapterError) -> Void
    private var ledger: Ledger
    /// The checksums that libarchive does not verify.
    private let headers: RARHeaders

    /// The number of bytes that are unpacked at a time.
    private static let blockCount = 1 << 18

    /// The maximum number of times that the archive is opened again after a fault that stops libarchive; more do not help.
    private static let maximumReopenings = 16

    private enum Ending {
        case complete
        case broken(AdapterError)
        /// libarchive has stopped, but the archive may continue.
        case stopped(AdapterError)
    }

    /// - Parameters:
    ///   - spool: the file for the members.
    ///   - report: a function that is informed about the progress. An error that it throws while an entry is unpacked becomes
    ///     that entry's fault.
    /// - Throws: `.unreadable`.
    init(
        _ request: UnpackingRequest, into spool: SpoolFile,
        report: @escaping (Event) throws(AdapterError) -> Void = { _ in }
    ) throws(AdapterError) {
        self.request = request
        self.spool = spool
        self.report = report
        headers = RARHeaders(of: request.volumes.paths, limits: request.limits)
        ledger = Ledger(archiveBytes: try request.volumes.byteCount(), kept: request.kept, limits: request.limits)
    }

    private var known: Int { request.passedOver + entries.count }

    /// Reads the archive as far as it can be read.
    ///
    /// - Throws: `.damaged` if not even its beginning is readable, `.tooLarge`, `.unwritable`, `.unreadable`.
    mutating func run() throws(AdapterError) {
        for _ in 0..<Spooler.maximumReopenings {
            let before = entries.count
            let stream = try ArchiveStream(
                paths: request.volumes.paths, formats: request.formats, password: request.password)
            switch try pass(over: stream) {
            case .complete:
                readError = gap
                return
            case .broken(let error):
                // If not even the next entry was found after a fault, the fault is the error to report.
                if entries.count > before || readError == nil { readError = error }
                return
            case .stopped(let error):
                readError = error
            }
        }
    }

    /// Goes through the archive once, past the entries of earlier passes.
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
                try report(.began(entry))
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
        try report(.finished(spooled))
    }

    /// Unpacks one entry. Its defect becomes its content.
    ///
    /// - Returns: the content, nil if it is not an image, and the fault that stopped libarchive, if any.
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
                    try report(.continued(piece))
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

    /// Returns the usable content of a member with a fault: a partial image, or only the fault.
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

    /// Returns the objection to the number of bytes unpacked so far.
    private func excess(of entry: StreamEntry, after total: Int) -> AdapterError? {
        if total > request.limits.entryBytes {
            return AdapterError(.tooLarge, "has more than the \(request.limits.entryBytes) bytes allowed")
        }
        if let size = entry.size, total > size { return AdapterError(.damaged, "has more bytes than the archive says") }
        return nil
    }

    /// Returns the objection to the number and the checksum of all bytes of the entry after the known ones.
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
    var defect: Message?

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

/// A counter for the unpacked bytes of an archive that refuses absurd amounts.
struct Ledger {
    private let archiveBytes: Int
    private let limits: Limits
    private var kept: Int
    private var passed: Int

    /// The maximum expansion ratio: images never exceed it; bombs do.
    private static let maximumGrowth = 1000
    private static let harmlessCount = 10 << 20

    /// - Parameters:
    ///   - archiveBytes: the size of the archive, all parts together.
    ///   - kept: the number of bytes that were stored before.
    init(archiveBytes: Int, kept: Int = 0, limits: Limits) {
        self.archiveBytes = archiveBytes
        self.kept = kept
        passed = kept
        self.limits = limits
    }

    /// Counts unpacked bytes that are stored.
    ///
    /// - Throws: `.tooLarge`.
    mutating func keep(_ count: Int) throws(AdapterError) {
        kept += count
        guard kept <= limits.totalBytes else {
            throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
        }
        try ExpansionLimit.check(kept, archiveBytes: archiveBytes)
        try pass(count)
    }

    /// Counts bytes that have to be unpacked although they are not needed.
    ///
    /// - Throws: `.tooLarge`.
    mutating func pass(_ count: Int) throws(AdapterError) {
        passed = passed.addingReportingOverflow(count).overflow ? .max : passed + count
        guard passed <= Ledger.harmlessCount || passed / Ledger.maximumGrowth <= archiveBytes else {
            throw AdapterError(.tooLarge, "would grow more than \(Ledger.maximumGrowth) times when unpacked")
        }
    }
}
