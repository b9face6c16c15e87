/// A reader of XTC and XTCH, written from the description of the formats.
struct XTCReader {
    struct Chapter: Equatable {
        let title: String
        /// The first and the last page, from 1.
        let pages: [Int]
    }

    struct Page: Equatable {
        let width: Int
        let height: Int
        /// The levels of the pixels by rows; 0 is black.
        let levels: [Int]
    }

    let bytes: [UInt8]

    func number(at offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    func text(at offset: Int, _ count: Int) -> String {
        String(decoding: bytes[offset..<offset + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    var mark: String { String(decoding: bytes[0..<4], as: UTF8.self) }
    var version: [UInt8] { Array(bytes[4..<6]) }
    var pageCount: Int { number(at: 6, 2) }
    var direction: Int { number(at: 8, 1) }
    var hasChapters: Bool { number(at: 11, 1) == 1 }
    private var metadata: Int { number(at: 16, 8) }
    private var table: Int { number(at: 24, 8) }
    private var data: Int { number(at: 32, 8) }
    var title: String { text(at: metadata, 128) }
    var author: String { text(at: metadata + 128, 64) }
    var publisher: String { text(at: metadata + 192, 32) }
    var language: String { text(at: metadata + 224, 16) }
    var cover: Int { number(at: metadata + 244, 2) }

    var chapters: [Chapter] {
        guard hasChapters else { return [] }
        let start = number(at: 48, 8)
        // CrossPoint counts them by their place before the page table.
        let count = (table - start) / 96
        return (0..<count).map { index in
            let place = start + 96 * index
            return Chapter(title: text(at: place, 80), pages: [number(at: place + 80, 2), number(at: place + 82, 2)])
        }
    }

    /// Whether the pages follow each other from the start of the data to the end of the file.
    var isGapless: Bool {
        var end = data
        for index in 0..<pageCount {
            guard number(at: table + 16 * index, 8) == end else { return false }
            end += number(at: table + 16 * index + 8, 4)
        }
        return end == bytes.count
    }

    func page(_ index: Int) -> Page {
        let entry = table + 16 * index
        let place = number(at: entry, 8)
        let (width, height) = (number(at: place + 4, 2), number(at: place + 6, 2))
        let isGray = mark == "XTCH"
        precondition(text(at: place, 4) == (isGray ? "XTH" : "XTG"))
        precondition([number(at: entry + 12, 2), number(at: entry + 14, 2)] == [width, height])
        precondition(number(at: entry + 8, 4) == 22 + number(at: place + 10, 4))
        let pixels = place + 22
        func bit(_ byte: Int, _ place: Int) -> Int { Int(bytes[byte]) >> (7 - place % 8) & 1 }
        let levels = (0..<width * height).map { pixel in
            let (x, y) = (pixel % width, pixel / width)
            guard isGray else { return bit(pixels + y * ((width + 7) / 8) + x / 8, x) }
            // Columns from the right. The values are white, dark gray, light gray and black.
            let byte = pixels + ((width - 1 - x) * height + y) / 8
            return [3, 1, 2, 0][bit(byte, y) << 1 | bit(byte + width * height / 8, y)]
        }
        return Page(width: width, height: height, levels: levels)
    }
}
