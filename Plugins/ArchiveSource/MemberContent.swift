internal import AdapterKit
internal import Imaging

/// The bytes of one member of an archive, which any number of tasks may read at once.
protocol MemberContent: Sendable {
    /// The number of bytes, as far as anyone knows without reading them.
    var byteCount: Int { get }

    /// The first `PictureHeader.headCount` bytes or more, or all of them where there are fewer.
    func head() throws(AdapterError) -> [UInt8]

    /// All bytes, checked against the archive's checksum.
    func bytes() throws(AdapterError) -> [UInt8]
}

/// A member that cannot be read; the reason is kept until someone asks.
struct FaultyMember: MemberContent {
    let error: AdapterError

    var byteCount: Int { 0 }

    func head() throws(AdapterError) -> [UInt8] { throw error }

    func bytes() throws(AdapterError) -> [UInt8] { throw error }
}
