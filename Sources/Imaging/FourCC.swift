/// The four ASCII characters by which boxes, brands and chunks are named.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// - Precondition: the literal is four ASCII characters long.
    init(stringLiteral text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4)
        rawValue = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
