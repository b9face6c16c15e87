internal import AdapterKit
internal import Imaging
internal import PageModel

/// One picture file of a folder. It is opened anew for each read, so that a long book keeps no descriptors open.
struct PictureFile: Sendable {
    /// The bytes that are read first.
    private static let headCount = 4096
    /// The most bytes that are read to find out the size.
    private static let wholeCount = 64 << 20

    let path: String
    /// The page's name: the path within the folder.
    let name: String
    /// The input the page belongs to, for messages.
    let input: String
    /// The most bytes the file may have.
    let byteLimit: Int

    /// Finds out what the picture is.
    ///
    /// - Throws: `.unreadable`, `.damaged` when it is empty or no picture, `.tooLarge`.
    func examine() throws(AdapterError) -> Picture {
        try naming { () throws(AdapterError) in
            let file = try opened()
            var header: PictureHeader?
            // Most pictures tell their size in their first few bytes, some behind a long profile or a thumbnail.
            for count in [PictureFile.headCount, PictureHeader.headCount, PictureFile.wholeCount] {
                let head = try file.read(at: 0, upTo: count)
                header = PictureHeader(head) ?? header
                if header == nil && count > PictureFile.headCount { break }
                if header?.size != nil || head.count == file.size { break }
            }
            guard let header else { throw AdapterError(.damaged, "is no picture jisui knows") }
            let picture = header.picture(byteCount: file.size) { try read() }
            return Picture(size: header.uprightSize, representations: [.encoded(picture)])
        }
    }

    private func read() throws(AdapterError) -> [UInt8] {
        try naming { () throws(AdapterError) in
            let file = try opened()
            return try file.read(at: 0, exactly: file.size)
        }
    }

    private func opened() throws(AdapterError) -> ReadableFile {
        let file = try ReadableFile(path: path)
        guard file.size > 0 else { throw AdapterError(.damaged, "the file is empty") }
        guard file.size <= byteLimit else {
            throw AdapterError(.tooLarge, "the file has \(file.size) bytes, and \(byteLimit) is the limit")
        }
        return file
    }

    /// Errors name the input and the page, not the path that the two make together.
    private func naming<Result>(_ body: () throws(AdapterError) -> Result) throws(AdapterError) -> Result {
        do {
            return try body()
        } catch {
            var named = error
            named.file = input
            named.page = name
            throw named
        }
    }
}
