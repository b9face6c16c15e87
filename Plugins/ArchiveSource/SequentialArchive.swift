internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
internal import ZipFile

/// The listing of an archive that can only be read from its beginning to its end, and the unpacking of its pages.
enum SequentialArchive {
    /// - Throws: `.damaged` if not one page can be read, `.tooLarge`, `.encrypted`, `.unsupported`, `.unwritable`.
    static func contents(
        of volumes: VolumeSet, formats: ArchiveStream.Formats = .sequential, password: String?, limits: Limits
    ) throws(AdapterError) -> ArchiveContents {
        let unpacked = try Unpacked(
            UnpackingRequest(volumes: volumes, formats: formats, password: password, wanted: .pages, limits: limits))
        var contents = ArchiveContents()
        contents.isEncrypted = unpacked.entries.contains(where: \.entry.isEncrypted)
        var known: [[UInt8]: any MemberContent] = [:]
        for (index, spooled) in unpacked.entries.enumerated() {
            let name = spooled.entry.name(at: index)
            var content = spooled.content
            switch spooled.entry.form {
            case .folder: continue
            case .file:
                // It was too large to be unpacked.
                if content == nil, EntryRole(name) == .document {
                    content = FaultyMember(error: BookDocument.tooLarge)
                }
            case .other:
                // The target of a hard link is a page under this name, too, if it was one under the other.
                content = spooled.entry.linkTarget.flatMap { known[$0] }
                if content == nil {
                    contents.oddities.append(name)
                    continue
                }
            }
            known[name.bytes] = content
            contents.entries.append(Entry(name: name, role: EntryRole(name), content: content))
        }
        if let readError = unpacked.readError {
            // The first of several parts alone always breaks off; the reason is not damage.
            if volumes.paths.count == 1, let next = volumes.nextName, RARVolume.isOneOfSeveral(volumes.paths[0]) {
                throw .missingPart(next)
            }
            try contents.note(readError)
        }
        try contents.requireAnyPage()
        return contents
    }
}

/// Damage in tars that libarchive ignores.
enum TarDamage {
    /// The size of a tar's blocks.
    private static let blockCount = 512

    /// Returns the defect of a tar, compressed or not, that was read to its end.
    ///
    /// - Throws: `.unreadable`.
    static func undetectedDamage(in volumes: VolumeSet, limits: Limits) throws(AdapterError) -> Message? {
        let file = try volumes.joined()
        let head = try file.read(at: 0, upTo: blockCount)
        if head.starts(with: [0x1F, 0x8B]) {
            // Other compressions are checked as they are unpacked.
            let isDamaged = try Gzip.isDamaged(file, maximumBytes: limits.totalBytes)
            return isDamaged ? "its checksum is wrong: any of its pages may be damaged" : nil
        }
        guard TarHeader.begins(head) else { return nil }
        // A tar ends with blank blocks; if it is cut between two members, that is the only sign.
        let end = try file.read(at: max(0, file.size - blockCount), upTo: blockCount)
        return end.contains { $0 != 0 } ? "the archive has no end marker: pages may be missing" : nil
    }
}
