internal import Imaging
internal import PageModel

/// The images of a book, by their numbers from 1.
struct BookResources: Sendable {
    private let database: PalmDatabase
    private let first: Int
    /// The record before that of the first image in the container of high-resolution images; nil without one.
    private let originals: Int?

    /// - Throws: `.damaged`, `.unreadable`.
    init(_ database: PalmDatabase, first: Int) throws(AdapterError) {
        (self.database, self.first) = (database, first)
        var found: Int?
        // The container begins after a record of this name, as a book of a second format does.
        for number in 0..<database.count where database.byteCount(of: number) == 8 {
            guard try database.record(number, beginsWith: "BOUNDARY"),
                try database.record(number + 1, beginsWith: "CONT"),
                !(try database.record(number + 1, beginsWith: "CONTBOUNDARY"))
            else { continue }
            found = number + 1
        }
        originals = found
    }

    /// Returns the record of an image: the original, if the book's own image is a smaller copy of it.
    private func record(_ number: Int) throws(AdapterError) -> (number: Int, offset: Int) {
        if let originals, try database.record(originals + number, beginsWith: "CRES") {
            let head = ByteReader(try database.head(of: originals + number, count: 12))
            if let offset = head.uint32(at: 8), offset < database.byteCount(of: originals + number) ?? 0 {
                return (originals + number, offset)
            }
        }
        return (first + number - 1, 0)
    }

    /// The size of an image.
    func byteCount(_ number: Int) -> Int {
        guard let (record, offset) = try? record(number), let count = database.byteCount(of: record) else { return 0 }
        return count - offset
    }

    /// Returns the bytes of an image.
    ///
    /// - Throws: `.damaged`, `.tooLarge`, `.unreadable`.
    func bytes(_ number: Int, maximumBytes: Int) throws(AdapterError) -> [UInt8] {
        guard byteCount(number) <= maximumBytes else {
            throw AdapterError(.tooLarge, "its \(byteCount(number)) bytes exceed the limit of \(maximumBytes)")
        }
        let (record, offset) = try record(number)
        return try database.bytes(of: record, from: offset)
    }

    /// Returns the first bytes of an image, which are all if there are fewer.
    func head(_ number: Int, count: Int) throws(AdapterError) -> [UInt8] {
        let (record, offset) = try record(number)
        return Array(try database.head(of: record, count: offset + count).dropFirst(offset))
    }

    /// Whether two images are the same file.
    func areEqual(_ one: Int, _ other: Int) -> Bool {
        guard byteCount(one) == byteCount(other), let (first, place) = try? record(one),
            let (second, otherPlace) = try? record(other)
        else { return false }
        return database.areEqual(first, from: place, second, from: otherPlace)
    }
}
