internal import AdapterKit
internal import Imaging
internal import Metadata
internal import ZipFile

/// Lists what is in an archive that can only be read from its beginning to its end, and unpacks its pages.
enum SequentialArchive {
    /// - Throws: `.damaged` when not one page can be read, `.tooLarge`, `.encrypted`, `.unsupported`, `.unwritable`.
    static func contents(
        of volumes: VolumeSet, formats: ArchiveStream.Formats = .sequential, password: String?, limits: Limits
    ) throws(AdapterError) -> ArchiveContents {
        let unpacked = try Unpacked(
            UnpackingRequest(volumes, formats: formats, password: password, wanted: .pages, limits: limits))
        var contents = ArchiveContents()
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
        if let breakage = unpacked.breakage {
            // The first of several parts alone always breaks; the reason is not damage.
            if volumes.paths.count == 1, let next = volumes.nextName, RARVolume.isOneOfSeveral(volumes.paths[0]) {
                throw .missingPart(next)
            }
            try contents.note(breakage)
        }
        try contents.requireAnyPage()
        return contents
    }
}
