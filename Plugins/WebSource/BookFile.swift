internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import OrderedJSON
internal import PageModel
internal import PageNames

/// The contents of book.json, as far as they are valid.
struct BookFile {
    let sequence: PageSequence

    /// - Parameter folder: the path of its folder.
    /// - Throws: `.damaged` for values that jisui never writes, `.unsupported`, `.tooLarge`.
    init(_ json: JSON, in folder: String, _ limits: Limits) throws(AdapterError) {
        guard json["jisui"]?.asString == "web", let list = json["pages"]?.elements else {
            throw AdapterError(.damaged, "book.json was not written by jisui")
        }
        guard json["version"]?.asInteger == 1 else {
            throw AdapterError(.unsupported, "book.json is of a later version of jisui", hint: "use that version")
        }
        guard list.count <= limits.pages else {
            throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
        }
        let texts = BookTexts(json, in: folder, limits, pageCount: list.count)
        let links = BookTexts.links(json, pageCount: list.count)
        var pages: [Page] = []
        var kinds: [Pairing.Kind] = []
        pages.reserveCapacity(list.count)
        for (place, item) in list.enumerated() {
            let entry = try PageEntry(item, number: place + 1)
            var page = entry.page(id: place + 1, in: folder, limits)
            page.text = { try await texts.lines(of: place) }
            if let links = links[place] { page.links = { links } }
            page.examine = { [examine = page.examine, hasLinks = links[place]?.isEmpty == false] in
                var picture = try await examine()
                // The text of many pages is in one file, which is read once.
                picture.hasText = (try? await texts.lines(of: place).isEmpty) == false
                picture.hasLinks = hasLinks
                return picture
            }
            pages.append(page)
            kinds.append(entry.kind)
        }
        let book = BookFile.metadata(json, pageCount: pages.count)
        if let sides = BookFile.sides(json, kinds, book.direction ?? .leftToRight) {
            for (place, side) in sides.enumerated() { pages[place].side = side }
        }
        sequence = PageSequence(book: book, pages: pages)
    }

    /// Returns the sides on which the book's own pairing puts its pages; nil for a book that states none.
    private static func sides(_ json: JSON, _ kinds: [Pairing.Kind], _ direction: Direction) -> [Side]? {
        let cover: Pairing.Cover = json["cover"]?.asString == "paired" ? .paired : .alone
        let shifts = (json["shifts"]?.elements ?? []).compactMap(\.asInteger)
        // Earlier versions did not record whether it was stated; any deviation from the default was.
        guard json["paired"]?.asBoolean ?? (cover == .paired || !shifts.isEmpty || kinds.contains(.bound)) else {
            return nil
        }
        return Pairing(kinds, cover: cover, shifts: Set(shifts)).sides(direction, count: kinds.count)
    }

    private static func metadata(_ json: JSON, pageCount: Int) -> BookMetadata {
        func text(_ key: String) -> String? {
            json[key]?.asString.map(XMLText.clean).flatMap { $0.isEmpty ? nil : $0 }
        }
        let outline = (json["outline"]?.elements ?? []).compactMap { item -> OutlineItem? in
            guard let title = item["title"]?.asString, let level = item["level"]?.asInteger else { return nil }
            let page = item["page"]?.asInteger.flatMap { (0..<pageCount).contains($0) ? $0 + 1 : nil }
            return OutlineItem(title: XMLText.clean(title), page: page, level: min(max(0, level), 100))
        }
        let credits = (json["creators"]?.elements ?? []).compactMap { item -> Credit? in
            guard let name = item["name"]?.asString.map(XMLText.clean), !name.isEmpty else { return nil }
            return Credit(name, item["role"]?.asString.flatMap(CreatorRole.init) ?? .author)
        }
        var book = BookMetadata(outline: outline)
        for field in MetadataField.all {
            let key = field.key
            switch field.kind {
            case .text(let path), .statement(let path): book[keyPath: path] = text(key)
            case .paragraphs(let path): book[keyPath: path] = json[key]?.asString.flatMap { PlainText.clean($0) }
            case .language(let path):
                book[keyPath: path] = text(key).flatMap { LanguageTag.isPlausible($0) ? $0 : nil }
            case .words(let path): book[keyPath: path] = (json[key]?.elements ?? []).compactMap(\.asString).clean.unique
            case .date(let path): book[keyPath: path] = text(key).flatMap { BookDate($0) }
            case .isbn(let path): book[keyPath: path] = text(key).flatMap { ISBN($0) }
            case .direction(let path): book[keyPath: path] = text(key).flatMap { Direction(rawValue: $0) }
            case .credits(let path): book[keyPath: path] = credits
            }
        }
        return book
    }
}

/// A page as book.json lists it: file, width, height, kind, label, and the visible part.
private struct PageEntry {
    let file: String
    let kind: Pairing.Kind
    let label: String?
    /// The visible part, and the size of its image.
    let part: (rect: PixelRect, of: PixelSize)?

    /// The permitted length of an image's sides, in pixels.
    private static let sides = 1...1_000_000

    init(_ json: JSON, number: Int) throws(AdapterError) {
        let damaged = AdapterError(.damaged, "book.json has an impossible value for page \(number)")
        // A name that jisui gives has no slash and no dots before its last: no path is outside the folder.
        guard let values = json.elements, values.count >= 4, let file = values[0].asString, PageFileName.matches(file),
            let width = values[1].asInteger, let height = values[2].asInteger,
            PageEntry.sides.contains(width), PageEntry.sides.contains(height)
        else { throw damaged }
        self.file = file
        kind = values[3].asString.flatMap { Pairing.Kind(rawValue: $0) } ?? .plain
        label = values.count > 4 ? values[4].asString.map(XMLText.clean) : nil
        guard values.count > 5, !values[5].isNull else {
            part = nil
            return
        }
        let numbers = (values[5].elements ?? []).map(\.asInteger)
        let size = PixelSize(width: width, height: height)
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3]
        else { throw damaged }
        let rect = PixelRect(x: x, y: y, width: width, height: height)
        guard PixelRect(x: 0, y: 0, size).contains(rect) else { throw damaged }
        part = (rect, size)
    }

    func page(id: Int, in folder: String, _ limits: Limits) -> Page {
        let name = "pages/\(file)"
        let maximumBytes = limits.entryBytes
        var page = Page(id: id, name: name, label: label) { [part] in
            try PageEntry.examine(folder: folder, name: name, part: part, maximumBytes: maximumBytes)
        }
        page.isDoublePage = kind == .wide
        return page
    }

    private static func examine(
        folder: String, name: String, part: (rect: PixelRect, of: PixelSize)?, maximumBytes: Int
    ) throws(AdapterError) -> Picture {
        let read = { @Sendable () throws(AdapterError) -> ReadableFile in
            do throws(AdapterError) {
                let file = try ReadableFile(path: "\(folder)/\(name)")
                guard file.size <= maximumBytes else {
                    throw AdapterError(.tooLarge, "its \(file.size) bytes exceed the limit of \(maximumBytes)")
                }
                return file
            } catch {
                throw error.at(file: folder, page: name)
            }
        }
        let file = try read()
        do throws(AdapterError) {
            var header = PictureHeader(try file.read(at: 0, upTo: PictureHeader.headCount))
            if header?.isComplete != true { header = PictureHeader(try file.read(at: 0, exactly: file.size)) ?? header }
            guard let header else { throw AdapterError(.damaged, "unrecognized image format") }
            var picture = header.picture(byteCount: file.size) {
                let file = try read()
                do throws(AdapterError) {
                    return try file.read(at: 0, exactly: file.size)
                } catch {
                    throw error.at(file: folder, page: name)
                }
            }
            var size = header.uprightSize
            if let part, let whole = size {
                picture.pending = [.keep(part.rect, of: part.of)]
                size = Framing(whole, edits: picture.pending)?.rect.size ?? size
            }
            return Picture(size: size, representations: [.encoded(picture)])
        } catch {
            throw error.at(file: folder, page: name)
        }
    }
}
