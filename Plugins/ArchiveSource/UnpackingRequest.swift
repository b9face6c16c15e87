internal import AdapterKit
internal import Metadata

/// A request to unpack an archive with libarchive.
struct UnpackingRequest: Sendable {
    /// The treatment of an entry.
    enum Treatment {
        case skip
        case keep
        case keepIfPicture
    }

    /// A member of an archive whose central directory is known.
    struct Member: Sendable {
        /// Its unpacked size in bytes, according to that directory.
        var size: Int
        /// Whether it is stored only if it is an image.
        var mustBePicture: Bool
    }

    /// The requested entries.
    enum Wanted: Sendable {
        /// The entries that may be pages or documents about the book, by their names.
        case pages
        /// These members, by their place in the archive.
        case members([Int: Member])

        func treatment(of entry: StreamEntry, at index: Int) -> Treatment {
            switch self {
            case .pages:
                switch EntryRole(entry.name(at: index)) {
                case .picture: .keep
                case .unclear: .keepIfPicture
                case .document: (entry.size ?? 0) <= BookDocument.maximumBytes ? .keep : .skip
                case .other: .skip
                }
            case .members(let members):
                // If two readers ever disagree about the order, the page is missing rather than a wrong one.
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
    /// The number of known entries at the beginning, and the bytes that were stored for them.
    var passedOver = 0
    var kept = 0
}
