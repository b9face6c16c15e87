internal import AdapterKit
internal import Imaging
internal import ZipFile

/// One file of an archive, whatever kind of archive it is.
struct Entry: Sendable {
    var name: RawName
    var role: EntryRole
    /// What is in it; nil when its role gives nobody a reason to read it.
    var content: (any MemberContent)?

    /// Whether it is a page; one of an unclear role is looked into.
    var isPage: Bool {
        switch role {
        case .picture: true
        case .unclear: content.flatMap { try? $0.head() }.flatMap { PictureHeader($0) } != nil
        case .comicInfo, .other: false
        }
    }
}
