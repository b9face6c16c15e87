internal import AdapterKit
internal import Imaging
internal import PageModel

/// The pages of a book, in reading order.
struct MobiPages {
    private(set) var pages: [Page] = []
    private(set) var warnings: [Warning] = []
    private(set) var skipped: [String] = []
    /// The places in the text at which pages begin, in ascending order, with the pages' numbers.
    private var places: [(place: Int, number: Int)] = []
    private var byteCount = 0
    private let resources: BookResources
    private let limits: Limits

    init(_ resources: BookResources, _ limits: Limits) {
        (self.resources, self.limits) = (resources, limits)
    }

    /// Returns the number of the page that shows a place of the text; nil without pages.
    func page(at place: Int) -> Int? {
        var range = places.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = places[middle].place <= place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return places.isEmpty ? nil : places[max(0, range.lowerBound - 1)].number
    }

    /// Adds the pages of the parts.
    ///
    /// - Parameter cover: the number of the cover's image.
    /// - Throws: `.unsupported` for a book of flowing text; `.empty`, `.tooLarge`.
    mutating func add(
        _ parts: [PartContent], _ spine: MobiSpine?, isFixed: Bool, cover: Int?
    ) throws(AdapterError) {
        let pictured = parts.count { $0.isPage }
        let flowing = parts.count { !$0.isPage && !$0.isBlank }
        // A title page or a colophon in letters may be among the images of a book that is not marked as fixed-layout.
        guard isFixed ? pictured > 0 : pictured > 0 && flowing <= pictured / 10 + 1 else {
            if flowing == 0 || isFixed { throw AdapterError(.empty, "has no page with an image") }
            throw AdapterError(
                .unsupported, "is a reflowable book, which has no pages",
                hint: "use Calibre to convert it to PDF, which has pages")
        }
        try addCover(cover, parts)
        for (index, part) in parts.enumerated() {
            places.append((part.start, pages.count + 1))
            let numbers = part.hasPanels ? Array(part.numbers.prefix(1)) : part.numbers
            if numbers.isEmpty, part.isBlank { continue }
            if !part.isPage, !numbers.isEmpty {
                warnings.append(
                    Warning(
                        code: "text-dropped", page: pages.count + 1,
                        message: "\(page: PageName.page(pages.count + 1)): left out the text next to the page's image"))
            }
            if numbers.isEmpty { try addText() }
            for number in numbers {
                let side = numbers.count == 1 ? spine?.sides[index] : nil
                try add(number, side: side ?? .single, isCover: number == cover)
            }
        }
        // A place after the last page belongs to it.
        for index in places.indices { places[index].number = min(places[index].number, max(1, pages.count)) }
    }

    /// Adds the cover, if no page shows it. Some books contain it twice.
    private mutating func addCover(_ cover: Int?, _ parts: [PartContent]) throws(AdapterError) {
        guard let cover, cover > 0, !parts.contains(where: { $0.numbers.contains(cover) }),
            let first = parts.lazy.compactMap(\.numbers.first).first, !resources.areEqual(cover, first),
            let head = try? resources.head(cover, count: PictureHeader.headCount), PictureHeader(head) != nil
        else { return }
        try add(cover, side: .single, isCover: true)
    }

    /// Adds a page of text, which is skipped when it is read.
    private mutating func addText() throws(AdapterError) {
        let name = PageName.page(pages.count + 1)
        try add(
            Page(id: pages.count + 1, name: name) {
                throw AdapterError(
                    .unsupported, "consists of text or several images, which jisui does not render",
                    hint: "Calibre makes a PDF of the book, and jisui images of its pages", page: name)
            })
    }

    private mutating func add(_ page: Page) throws(AdapterError) {
        guard pages.count < limits.pages else {
            throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
        }
        guard byteCount <= limits.totalBytes else {
            throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
        }
        pages.append(page)
    }

    /// Adds an image as a page.
    private mutating func add(_ number: Int, side: Side, isCover: Bool) throws(AdapterError) {
        let count = resources.byteCount(number)
        byteCount += count
        let name = PageName.page(pages.count + 1)
        let maximum = limits.entryBytes
        var page = Page(id: pages.count + 1, name: name, side: side) { [resources] in
            do throws(AdapterError) {
                let head = try resources.head(number, count: PictureHeader.headCount)
                guard var header = PictureHeader(head) else {
                    throw AdapterError(.damaged, "unrecognized image format")
                }
                if !header.isComplete && head.count < count {
                    header = PictureHeader(try resources.bytes(number, maximumBytes: maximum)) ?? header
                }
                let picture = header.picture(byteCount: count) {
                    do throws(AdapterError) {
                        return try resources.bytes(number, maximumBytes: maximum)
                    } catch {
                        throw error.at(page: name)
                    }
                }
                return Picture(size: header.uprightSize, representations: [.encoded(picture)])
            } catch {
                throw error.at(page: name)
            }
        }
        if isCover, !pages.contains(where: { $0.roles.contains(.frontCover) }) { page.roles = [.frontCover] }
        try add(page)
    }
}
