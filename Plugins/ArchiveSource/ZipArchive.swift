internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel
internal import ZipFile

/// The listing of a zip, which reads as little of it as possible.
enum ZipArchive {
    /// Returns a zip's pieces; for most zips the one file.
    static func volumes(of path: String) -> VolumeSet {
        let before = partsBefore(path)
        return before > 0
            ? VolumeSet(before: path, count: before) : VolumeSet(piecesOf: path) { path, _ in isWhole(path) }
    }

    /// Returns the number of parts before the last part of a split zip; 0 for any other file.
    static func partsBefore(_ path: String) -> Int {
        let count = (try? ReadableFile(path: path)).flatMap { try? ZipReader.partsBefore($0) } ?? 0
        // The highest number refers to the record of a ZIP64 archive.
        return count == 0xFFFF ? 0 : count
    }

    /// Whether a file ends like a zip.
    static func isWhole(_ path: String) -> Bool {
        (try? ReadableFile(path: path)).flatMap { try? ZipReader.isZip($0) } ?? false
    }

    /// Lists the contents.
    ///
    /// If a page is encrypted, or neither stored nor deflated, libarchive unpacks all such members, once. Other members are read
    /// on request.
    ///
    /// - Throws: `.damaged`, `.tooLarge`, `.encrypted` without the password, `.unsupported` for a part of a zip.
    static func contents(
        of volumes: VolumeSet, password: String?, limits: Limits
    ) throws(AdapterError) -> ArchiveContents {
        // Without any other part their length is unknown.
        if volumes.paths.count > 1, volumes.missing.count == volumes.paths.count - 1,
            let missing = volumes.missingPart
        {
            throw missing
        }
        let file = try volumes.joined()
        let directory = try ZipReader(file, limits: limits)
        var contents = ArchiveContents()
        contents.warnings = directory.diagnostics.map { .damagedArchive($0) }
        contents.comment = try directory.comment()
        var total = 0
        var strange: [Int: Int] = [:]
        for (index, listed) in directory.entries.enumerated() where listed.form != .folder {
            var name = listed.name
            try EntryNames.checkLength(of: name)
            if name.bytes.isEmpty { name.bytes = Array("entry \(index + 1)".utf8) }
            if listed.form == .other {
                contents.oddities.append(name)
                continue
            }
            let role = EntryRole(name)
            contents.entries.append(Entry(name: name, role: role, content: nil))
            if role == .other { continue }
            total = total.addingReportingOverflow(listed.size).overflow ? .max : total + listed.size
            if listed.isPlain {
                contents.entries[contents.entries.count - 1].content = ZipContent(listed, in: directory)
            } else {
                contents.isEncrypted = contents.isEncrypted || listed.isEncrypted
                if listed.isEncrypted && password == nil {
                    if role == .picture { throw .passwordMissing }
                    continue
                }
                strange[index] = contents.entries.count - 1
            }
        }
        guard total <= limits.totalBytes else {
            throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
        }
        try ExpansionLimit.check(total, archiveBytes: file.size)
        if !strange.isEmpty {
            try unpack(strange, listedIn: directory, of: volumes, password, limits, into: &contents)
        }
        return contents
    }

    /// Returns the remains of a zip with a missing or damaged central directory: the entries in sequence.
    ///
    /// The directory is missing if the end is missing.
    ///
    /// - Parameters:
    ///   - damage: the defect of the directory. It is thrown unless the zip is an archive of images with pages.
    ///   - hint: the hint of the warning; nil for the usual one.
    /// - Throws: `damage`, `.tooLarge`, `.encrypted`, `.unwritable`, `.unreadable`.
    static func remains(
        of volumes: VolumeSet, because damage: AdapterError, hint: Message?, password: String?, limits: Limits
    ) throws(AdapterError) -> ArchiveContents {
        var contents: ArchiveContents
        do {
            contents = try SequentialArchive.contents(
                of: volumes, formats: .zipRemains, password: password, limits: limits)
        } catch {
            throw error.code == .damaged || error.code == .empty ? damage : error
        }
        let names = Set(contents.entries.map { $0.name.bytes })
        // EPUBs and similar formats begin with an entry that declares their type.
        guard !names.contains(Array("mimetype".utf8)),
            ForeignZip.name(type: nil, has: { names.contains(Array($0.utf8)) }) == nil
        else { throw damage }
        contents.warnings = contents.warnings.filter { $0.code == "unreadable-archive" }
        contents.warnings.append(.damagedArchive("\(damage.message): pages may be missing", hint))
        return contents
    }

    /// Unpacks, with libarchive, the members that jisui does not read by itself.
    ///
    /// - Parameter strange: their places in `contents.entries` by those in the directory.
    private static func unpack(
        _ strange: [Int: Int], listedIn directory: ZipReader, of volumes: VolumeSet, _ password: String?,
        _ limits: Limits,
        into contents: inout ArchiveContents
    ) throws(AdapterError) {
        if !volumes.missing.isEmpty, let missing = volumes.missingPart { throw missing }
        guard try ZipReader.partsBefore(volumes.joined()) == 0 else { throw .isPartOfZip }
        // libarchive reads a zip in the order of its data, not of its central directory.
        let order = directory.entries.indices.sorted {
            (directory.entries[$0].offset, $0) < (directory.entries[$1].offset, $1)
        }
        let roles = contents.entries.map(\.role)
        var members: [Int: UnpackingRequest.Member] = [:]
        for (position, index) in order.enumerated() {
            guard let place = strange[index] else { continue }
            members[position] = UnpackingRequest.Member(
                size: directory.entries[index].size, mustBePicture: roles[place] == .unclear)
        }
        let unpacked = try Unpacked(
            UnpackingRequest(
                volumes: volumes, formats: .zip, password: password, wanted: .members(members), limits: limits))
        for (index, spooled) in zip(order, unpacked.entries) {
            guard let place = strange[index] else { continue }
            contents.entries[place].content = spooled.content
        }
        for place in strange.values where contents.entries[place].role == .picture {
            let error = unpacked.readError ?? AdapterError(.damaged, "could not be found in the archive")
            contents.entries[place].content = contents.entries[place].content ?? FaultyMember(error: error)
        }
        try contents.requireAnyPage()
    }
}

/// A stored or deflated member of a zip is read straight out of the file.
extension ZipContent: MemberContent {
    func head() throws(AdapterError) -> [UInt8] {
        try head(count: PictureHeader.headCount)
    }
}
