internal import AdapterKit
internal import Imaging
internal import PageModel

/// Makes pages of an archive's entries.
enum PageMaker {
    /// A page that is not looked at before someone asks.
    static func page(id: Int, name: String, content: any MemberContent) -> Page {
        Page(id: id, name: name) {
            let header = try named(name) { () throws(AdapterError) in try examine(content) }
            let encoded = header.picture(byteCount: content.byteCount) {
                try named(name) { () throws(AdapterError) in try content.bytes() }
            }
            return Picture(size: header.uprightSize, representations: [.encoded(encoded)])
        }
    }

    private static func examine(_ content: any MemberContent) throws(AdapterError) -> PictureHeader {
        let head = try content.head()
        guard !head.isEmpty else { throw AdapterError(.damaged, "the file is empty") }
        guard let header = PictureHeader(head) else { throw AdapterError(.damaged, "is no picture jisui knows") }
        if header.size == nil && head.count < content.byteCount {
            return PictureHeader(try content.bytes()) ?? header
        }
        return header
    }

    /// Says in an error which page it happened to.
    private static func named<Result>(
        _ page: String, _ body: () throws(AdapterError) -> Result
    ) throws(AdapterError) -> Result {
        do {
            return try body()
        } catch {
            var error = error
            error.page = page
            throw error
        }
    }
}
