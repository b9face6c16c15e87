internal import AdapterKit
internal import Imaging

/// A member that was unpacked into a temporary file.
struct SpooledMember: MemberContent {
    let spool: SpoolFile
    let offset: Int
    let byteCount: Int

    func head() throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: min(byteCount, PictureHeader.headCount))
    }

    func bytes() throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: byteCount)
    }
}
