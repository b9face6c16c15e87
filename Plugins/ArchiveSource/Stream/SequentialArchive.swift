internal import AdapterKit
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
            case .comicInfo: (entry.size ?? 0) <= ComicInfo.mostBytes ? .keep : .skip
            case .other: .skip
            }
        }
        var contents = ArchiveContents()
        for (index, spooled) in spooler.entries.enumerated() {
            let name = name(of: spooled.entry, at: index)
            switch spooled.entry.form {
            case .folder: break
            case .other: contents.oddities.append(name)
            case .file: contents.entries.append(Entry(name: name, role: EntryRole(name), content: spooled.content))
            }
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
