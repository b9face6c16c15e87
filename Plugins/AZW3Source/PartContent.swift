internal import PageModel

/// The images and the amount of text in a part of a book's text.
struct PartContent {
    /// An image, by its number among the book's, from 1.
    struct Picture: Hashable {
        let number: Int
        /// The place of its element in the text.
        let place: Int
    }

    /// The place in the text at which it begins.
    private(set) var start: Int
    /// The images in their order.
    private var pictures: [Picture] = []
    /// The number of letters that are shown.
    private(set) var letterCount = 0
    /// Whether it has areas that enlarge, whose targets show images again.
    private(set) var hasPanels = false

    /// The maximum number of letters on a page that is an image: its number, or a text alternative.
    private static let maximumLetters = 200

    /// Whether it is one or several images, and next to no text.
    var isPage: Bool { !pictures.isEmpty && letterCount <= PartContent.maximumLetters }

    /// Whether it shows nothing.
    var isBlank: Bool { pictures.isEmpty && letterCount == 0 }

    /// The numbers of the images, each once.
    var numbers: [Int] { pictures.map(\.number).unique }

    /// The parts of a text without a fixed layout. Each ends with an image.
    var partedAtPictures: [PartContent] {
        if pictures.isEmpty { return [self] }
        return pictures.enumerated().map { index, picture in
            var part = self
            part.start = index == 0 ? start : pictures[index - 1].place + 1
            part.pictures = [picture]
            part.letterCount /= pictures.count
            return part
        }
    }

    /// The maximum length of an element's tag, above that of any real one.
    private static let maximumTag = 4096

    /// - Parameter range: the part, in the bytes of the text.
    init(_ text: [UInt8], _ range: Range<Int>) {
        start = range.lowerBound
        var place = start
        // The element whose contents are not shown.
        var hidden: [UInt8]?
        while place < range.upperBound {
            guard text[place] == UInt8(ascii: "<") else {
                if hidden == nil, text[place] > 0x20, text[place] & 0xC0 != 0x80 { letterCount += 1 }
                place += 1
                continue
            }
            let limit = min(range.upperBound, place + PartContent.maximumTag)
            let end = text[place..<limit].firstIndex(of: UInt8(ascii: ">")) ?? limit
            let tag = text[place + 1..<max(place + 1, end)]
            let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") || $0 == tag.first }.map { $0 | 0x20 }
            let isClosing = tag.first == UInt8(ascii: "/")
            if let element = hidden {
                if isClosing, tag.dropFirst().prefix(element.count).map({ $0 | 0x20 }) == element { hidden = nil }
            } else if ["head", "style", "script"].contains(where: { name.elementsEqual($0.utf8) }) {
                hidden = name
            } else if name.elementsEqual("img".utf8) || name.elementsEqual("image".utf8)
                || name.elementsEqual("svg:image".utf8)
            {
                if let number = PartContent.number(in: tag) { pictures.append(Picture(number: number, place: place)) }
            } else if tag.contains(UInt8(ascii: "m")), PartContent.places(of: "app-amzn-magnify", in: tag) != nil {
                hasPanels = true
            }
            place = end + 1
        }
    }

    /// Returns the number of the image in a tag: "kindle:embed:000A" in KF8, with digits of base 32; "recindex="00010" in MOBI.
    private static func number(in tag: ArraySlice<UInt8>) -> Int? {
        if let end = places(of: "kindle:embed:", in: tag) {
            return Int(String(decoding: tag[end...].prefix(4), as: UTF8.self), radix: 32)
        }
        guard let end = places(of: "recindex=", in: tag) else { return nil }
        let digits = tag[end...].drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        return Int(String(decoding: digits.prefix { (0x30...0x39).contains($0) }.prefix(8), as: UTF8.self))
    }

    /// Returns the place after a word in a tag.
    private static func places(of word: StaticString, in tag: ArraySlice<UInt8>) -> Int? {
        let word = word.withUTF8Buffer { Array($0) }
        return tag.indices.first { tag[$0...].starts(with: word) }.map { $0 + word.count }
    }
}
