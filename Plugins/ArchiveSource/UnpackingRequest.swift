internal import AdapterKit
internal import Metadata

/// What is to be unpacked of an archive that libarchive reads.
struct UnpackingRequest: Sendable {
    /// What to do with an entry.
    enum Treatment {
        case skip
        case keep
        case keepIfPicture
    }

    /// A member of an archive whose table of contents is known.
    struct Member: Sendable {
        /// Its bytes when unpacked, as that table says.
        var size: Int
        /// Whether it is kept only if it turns out to be a picture.
        var mustBePicture: Bool
    }

    /// Which entries are wanted.
    enum Wanted: Sendable {
        /// Those that may be pages or tell of the book, by their names.
        case pages
        /// These, by their place in the archive.
        case members([Int: Member])

        func treatment(of entry: StreamEntry, at index: Int) -> Treatment {
            switch self {
            case .pages:
                switch EntryRole(entry.name(at: index)) {
                case .picture: .keep
                case .unclear: .keepIfPicture
                case .document: (entry.size ?? 0) <= BookDocument.mostBytes ? .keep : .skip
                case .other: .skip
                }
            case .members(let members):
                // Should two readers ever disagree about what comes when, the page is missing rather than a wrong one.
                members[index].flatMap { member in
                    entry.size.map { $0 == member.size } ?? true ? member.mustBePicture ? .keepIfPicture : .keep : nil
                } ?? .skip
            }
        }
    }

    var volumes: VolumeSet
    var formats: ArchiveStream.Formats
    var password: String?
    var wanted: Wanted
    var limits: Limits
    /// The entries at the beginning that are known, and the bytes that were kept of them.
    var passedOver = 0
    var kept = 0

    init(
        _ volumes: VolumeSet, formats: ArchiveStream.Formats, password: String?, wanted: Wanted, limits: Limits
    ) {
        self.volumes = volumes
        self.formats = formats
        self.password = password
        self.wanted = wanted
        self.limits = limits
    }
}
