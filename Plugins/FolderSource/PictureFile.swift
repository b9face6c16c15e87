internal import AdapterKit
internal import Imaging
internal import PageModel

/// One picture file of a folder. It is opened anew for every look, so that a long book needs no descriptors.
struct PictureFile: Sendable {
    /// A file below this many bytes is read whole when its beginning does not tell the size.
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
            let head = try file.read(at: 0, upTo: PictureHeader.headCount)
            guard let beginning = PictureHeader(head) else {
                throw AdapterError(.damaged, "is no picture jisui knows")
            }
            var header = beginning
            if header.size == nil && head.count < file.size && file.size < PictureFile.wholeCount {
                header = PictureHeader(try file.read(at: 0, exactly: file.size)) ?? beginning
            }
            let picture = EncodedPicture(encoding: header.encoding, size: header.size, byteCount: file.size) {
                try read()
            }
            return Picture(size: header.size, ways: [.encoded(picture)])
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
