/// Names in the encodings of Western Europe: their accented letters are single bytes within words of ASCII letters.
enum LatinNames {
    /// Returns the encoding of such names, Windows' or that of DOS; nil if a name has other bytes beyond ASCII.
    static func encoding(of names: some Collection<[UInt8]>) -> NameEncoding? {
        if names.allSatisfy({ isLatin($0, isWindows) }) { return NameEncoding.named("cp1252") }
        return names.allSatisfy(isDOS) ? NameEncoding.named("cp850") : nil
    }

    /// Whether the bytes beyond ASCII are Windows' letters or its apostrophe.
    static func isWindows(_ name: [UInt8]) -> Bool { isLatin(name, isWindows) }

    private static func isWindows(_ byte: UInt8, between letters: Bool) -> Bool {
        switch byte {
        case 0x92: letters
        // Œ, œ and Ÿ.
        case 0x8C, 0x9C, 0x9F: true
        case 0xD7, 0xF7: false
        default: byte >= 0xC0
        }
    }

    /// Whether the bytes are those of DOS. They also begin common kanji, whose second byte may be an ASCII letter. So each must be
    /// in a word of lowercase letters, and may not follow such a pair at once.
    private static func isDOS(_ name: [UInt8]) -> Bool {
        isLatin(name) { byte, _ in
            switch byte {
            case 0x80...0x9B, 0x9D, 0xA0...0xA5, 0xB5...0xB7, 0xC6, 0xC7, 0xD0...0xD4, 0xD6...0xD8, 0xDE, 0xE0...0xE5,
                0xE9...0xED:
                true
            default: false
            }
        }
            && name.indices.allSatisfy { place in
                guard name[place] >= 0x80 else { return true }
                func isLowercase(_ place: Int) -> Bool {
                    name.indices.contains(place) && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(name[place])
                }
                let isSecond = place > 0 && name[place - 1] >= 0x80
                let followsPair = place > 1 && name[place - 2] >= 0x80 && !isSecond
                let begins =
                    place == 0 || [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "(")].contains(name[place - 1])
                let ends = place + 1 == name.count || name[place + 1] < 0x40
                return !followsPair && (isLowercase(place - 1) || begins && isLowercase(place + 1) || isSecond)
                    && (isLowercase(place + 1) || ends || name[place + 1] >= 0x80)
            }
    }

    /// Whether bytes beyond ASCII are single letters, or pairs between ASCII letters ("Größe").
    private static func isLatin(_ name: [UInt8], _ isLetter: (_ byte: UInt8, _ between: Bool) -> Bool) -> Bool {
        func isASCIILetter(_ place: Int) -> Bool {
            name.indices.contains(place) && name[place] < 0x80
                && Character(Unicode.Scalar(name[place])).isLetter
        }
        return name.split(whereSeparator: { $0 < 0x80 }).allSatisfy { run in
            let areBetween = isASCIILetter(run.startIndex - 1) && isASCIILetter(run.endIndex)
            return (run.count == 1 || run.count == 2 && areBetween) && run.allSatisfy { isLetter($0, areBetween) }
        }
    }
}
