/// A parser for JSON text.
struct JSONReader {
    private let scalars: [Unicode.Scalar]
    private(set) var place = 0
    /// The offsets of keys and elements, by their paths; nil if they are not wanted.
    private(set) var offsets: [[String]: Int]?
    private var path: [String] = []

    /// The maximum depth of values: hand-edited files do not need more.
    private static let maximumDepth = 16

    init(_ text: String, recordsOffsets: Bool = false) {
        scalars = Array(text.unicodeScalars)
        offsets = recordsOffsets ? [:] : nil
    }

    /// Returns the number of the line at an offset, from 1.
    func line(at offset: Int) -> Int { scalars[..<min(offset, scalars.count)].count { $0 == "\n" } + 1 }

    /// Whether only white space remains.
    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return place == scalars.count
        }
    }

    /// Returns the next value; nil at the end of the text or for invalid JSON.
    mutating func value(depth: Int) -> JSON? {
        skipSpace()
        guard depth <= JSONReader.maximumDepth, place < scalars.count else { return nil }
        switch scalars[place] {
        case "{": return object(depth: depth)
        case "[": return array(depth: depth)
        case "\"": return string().map(JSON.string)
        case "t": return take("true") ? .boolean(true) : nil
        case "f": return take("false") ? .boolean(false) : nil
        case "n": return take("null") ? .null : nil
        default: return number()
        }
    }

    /// Returns the value of a key or an element.
    ///
    /// - Parameter start: the offset of the key or the element.
    private mutating func value(depth: Int, _ key: @autoclosure () -> String, _ start: Int) -> JSON? {
        guard offsets != nil else { return value(depth: depth) }
        path.append(key())
        offsets?[path] = start
        defer { path.removeLast() }
        return value(depth: depth)
    }

    private mutating func skipSpace() {
        while place < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[place]) { place += 1 }
    }

    private mutating func take(_ word: String) -> Bool {
        let word = Array(word.unicodeScalars)
        guard scalars[place...].starts(with: word) else { return false }
        place += word.count
        return true
    }

    /// Consumes one character, after any white space.
    private mutating func next(is sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard place < scalars.count, scalars[place] == sign else { return false }
        place += 1
        return true
    }

    private mutating func object(depth: Int) -> JSON? {
        place += 1
        var members: [(key: String, value: JSON)] = []
        var keys: Set<String> = []
        if next(is: "}") { return .object(members) }
        repeat {
            skipSpace()
            let start = place
            guard let key = string(), next(is: ":"), let value = value(depth: depth + 1, key, start),
                keys.insert(key).inserted
            else { return nil }
            members.append((key, value))
        } while next(is: ",")
        return next(is: "}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSON? {
        place += 1
        var elements: [JSON] = []
        if next(is: "]") { return .array(elements) }
        repeat {
            skipSpace()
            guard let value = value(depth: depth + 1, String(elements.count), place) else { return nil }
            elements.append(value)
        } while next(is: ",")
        return next(is: "]") ? .array(elements) : nil
    }

    private mutating func number() -> JSON? {
        let start = place
        while place < scalars.count, "+-.eE0123456789".unicodeScalars.contains(scalars[place]) { place += 1 }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<place])
        // A Double would round large whole numbers, such as a time in nanoseconds.
        if let whole = Int(String(text)) { return .integer(whole) }
        guard let number = Double(String(text)), number.isFinite else { return nil }
        return Int(exactly: number).map(JSON.integer) ?? .number(number)
    }

    private mutating func string() -> String? {
        guard place < scalars.count, scalars[place] == "\"" else { return nil }
        place += 1
        var units: [UInt16] = []
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            switch scalar {
            case "\"": return String(validating: units, as: UTF16.self)
            case "\\":
                guard let unit = escape() else { return nil }
                units.append(unit)
            case _ where scalar.value < 0x20: return nil
            default: units.append(contentsOf: UTF16.encode(scalar).map(Array.init) ?? [])
            }
        }
        return nil
    }

    /// Returns the code unit that the text after a backslash represents.
    private mutating func escape() -> UInt16? {
        guard place < scalars.count else { return nil }
        let scalar = scalars[place]
        place += 1
        switch scalar {
        case "\"", "\\", "/": return UInt16(scalar.value)
        case "b": return 8
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "u":
            guard place + 4 <= scalars.count else { return nil }
            let digits = scalars[place..<place + 4].map { String($0) }.joined()
            place += 4
            return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
        default: return nil
        }
    }
}
