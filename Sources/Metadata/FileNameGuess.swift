package import OrderedJSON
package import PageModel

/// The metadata inferred from a file name, as comic apps do: "Name v03 #012 (2019)", "名前 第03巻".
///
/// It may be wrong: "Catch 22" is not issue 22.
package struct FileNameGuess: Hashable, Sendable, CustomStringConvertible {
    package var series: String?
    package var volume: String?
    package var number: String?
    package var year: Int?

    /// Whether the name is that of a whole volume rather than of a chapter or an issue.
    package var isOfVolume: Bool { volume != nil && number == nil }

    /// - Parameter name: the name without its extension.
    /// - Returns: nil when the name suggests only a title, or only a number without a word such as "Chapter".
    package init?(_ name: String) {
        var rest = FileNameGuess.simplified(name)
        year = FileNameGuess.year(in: rest)
        rest = FileNameGuess.withoutBrackets(rest)
        // The series is the text before the first of these.
        var end = rest.endIndex
        var volumePlace: Range<String.Index>?
        if let (value, place) = FileNameGuess.first(FileNameGuess.volumes, in: rest) {
            (volume, end, volumePlace) = (value, place.lowerBound, place)
        }
        var hasWord = false
        if let (value, place) = FileNameGuess.first(FileNameGuess.issues, in: rest) {
            (number, end) = (value, min(end, place.lowerBound))
        } else if let (value, place) = FileNameGuess.first(FileNameGuess.chapters, in: rest) {
            (number, end, hasWord) = (value, min(end, place.lowerBound), true)
        } else if let (value, place) = FileNameGuess.bareNumber(in: rest),
            volumePlace.map({ place.lowerBound >= $0.upperBound }) ?? true
        {
            (number, end) = (value, min(end, place.lowerBound))
        }
        guard volume != nil || number != nil || year != nil else { return nil }
        let title = XMLText.clean(String(rest[..<end])).trimmed
        // Text without a letter is a date or a count.
        series = title.contains(where: \.isLetter) ? title : nil
        if series == nil && volume == nil && !hasWord { return nil }
    }

    /// Returns the fields that a book does not have itself; nil when all are known.
    package func beyond(_ book: BookMetadata) -> FileNameGuess? {
        var rest = self
        if book.series != nil { rest.series = nil }
        // A volume means nothing without its number.
        if book.volume != nil || book.number != nil { (rest.volume, rest.number) = (nil, nil) }
        if book.date != nil { rest.year = nil }
        return rest.members.allSatisfy(\.value.isNull) ? nil : rest
    }

    /// Fills the fields that a book does not have itself.
    package func apply(to book: inout BookMetadata) {
        guard let guess = beyond(book) else { return }
        book.series = book.series ?? guess.series
        if book.volume == nil && book.number == nil { (book.volume, book.number) = (guess.volume, guess.number) }
        book.date = book.date ?? guess.year.flatMap { BookDate(year: $0) }
    }

    package var members: [(key: String, value: JSON)] {
        [
            ("series", JSON(series)), ("volume", JSON(volume)), ("number", JSON(number)), ("year", JSON(year)),
        ]
    }

    /// "Name, volume 3, number 12, 2019".
    package var description: String {
        [series, volume.map { "volume \($0)" }, number.map { "number \($0)" }, year.map(String.init)]
            .compactMap { $0 }.joined(separator: ", ")
    }

    // MARK: Parts of a name

    /// The words for volumes and issues in several languages, with the number after them or, in East Asian languages,
    /// between them. A number may have a decimal point: 12.5.
    private static let volumes: [@Sendable () -> Regex<(Substring, Substring)>] = [
        { /(?i)\b(?:v|vol|volume|tome|tomo|t|band|bd|deel)\.? ?([0-9]{1,4}(?:\.[0-9]{1,2})?)\b/ },
        { /[第제]? ?([0-9〇一二三四五六七八九十百]{1,6}(?:\.[0-9]{1,2})?) ?[巻卷集冊권]/ },
    ]
    private static let issues: [@Sendable () -> Regex<(Substring, Substring)>] = [
        { /# ?([0-9]{1,4}(?:\.[0-9]{1,2})?)\b/ }
    ]
    private static let chapters: [@Sendable () -> Regex<(Substring, Substring)>] = [
        { /(?i)\b(?:c|ch|chap|no|nr|ep)\.? ?([0-9]{1,4}(?:\.[0-9]{1,2})?)\b(?!-[0-9])/ },
        {
            /(?i)\b(?:chapter|chapitre|kapitel|cap[ií]tulo|issue|episode)[.-]? ?([0-9]{1,4}(?:\.[0-9]{1,2})?)\b(?!-[0-9])/
        },
        { /[第제]? ?([0-9〇一二三四五六七八九十百]{1,6}(?:\.[0-9]{1,2})?) ?[話话回章화号號]/ },
    ]

    /// Returns the first match of some patterns: its normalized number and its range.
    private static func first(
        _ patterns: [@Sendable () -> Regex<(Substring, Substring)>], in text: String
    ) -> (String, Range<String.Index>)? {
        for pattern in patterns {
            if let match = text.firstMatch(of: pattern()), let number = plain(match.1) {
                return (number, match.range)
            }
        }
        return nil
    }

    /// Returns a number without a word: the last one that is separate, after a title and at the end or before a dash.
    ///
    /// A four-digit number that may be a year is ignored, and so is one at the beginning.
    private static func bareNumber(in text: String) -> (String, Range<String.Index>)? {
        let matches = text.matches(of: /\ ([0-9]{1,4}(?:\.[0-9]{1,2})?)(?=$| - | of [0-9]+$)/)
        guard let match = matches.last, !isYear(match.1), let number = plain(match.1) else { return nil }
        return (number, match.range)
    }

    private static func isYear(_ text: Substring) -> Bool { Int(text).map((1900...2099).contains) ?? false }

    /// Returns a number without leading zeros: "012" is "12". Chinese digits become Arabic ones.
    private static func plain(_ text: Substring) -> String? {
        if let first = text.first, first.isASCII {
            let digits = text.drop { $0 == "0" }
            return digits.isEmpty || digits.first == "." ? "0\(digits)" : String(digits)
        }
        let digits = Array("〇一二三四五六七八九")
        var (value, unit) = (0, 0)
        for sign in text {
            if let weight = ["十": 10, "百": 100][sign] {
                (value, unit) = (value + max(unit, 1) * weight, 0)
            } else {
                guard let digit = digits.firstIndex(of: sign) else { return nil }
                unit = unit * 10 + digit
            }
        }
        return String(value + unit)
    }

    /// Returns a year in parentheses: "(2019)", "(2019-05)", "(May 2019)".
    private static func year(in text: String) -> Int? {
        text.firstMatch(of: /\((?:[A-Za-z]+\.? )?((?:19|20)[0-9]{2})(?:-[0-9]{1,2}){0,2}\)/).flatMap { match in
            Int(match.1)
        }
    }

    /// Returns the name without text in brackets: authors, scanners, counts.
    private static func withoutBrackets(_ text: String) -> String {
        let open: [Character: Character] = ["(": ")", "[": "]", "{": "}", "【": "】"]
        var result = ""
        var closing: [Character] = []
        for sign in text {
            if let close = open[sign] {
                closing.append(close)
            } else if sign == closing.last {
                closing.removeLast()
                result.append(" ")
            } else if closing.isEmpty {
                result.append(sign)
            }
        }
        // Brackets without a closing bracket belong to the name.
        return XMLText.clean(closing.isEmpty ? result : text)
    }

    /// Returns the name with ASCII digits and brackets for full-width ones, and spaces for other separators.
    private static func simplified(_ name: String) -> String {
        let narrow = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
                    case 0x3000, 0x5F: " "
                    default: scalar
                    }
                }))
        if narrow.contains(" ") { return XMLText.clean(narrow) }
        // "Name.v03.012": periods between words become spaces. Decimal points have at most two digits after them and
        // stay.
        let signs = Array(narrow)
        let spaced = signs.indices.map { place -> Character in
            guard signs[place] == "." else { return signs[place] }
            let isInNumber = place > 0 && signs[place - 1].isNumber
            return isInNumber && (1...2).contains(signs[(place + 1)...].prefix { $0.isNumber }.count) ? "." : " "
        }
        return XMLText.clean(String(spaced))
    }
}

extension String {
    /// The text without separators at its ends. At its beginning, "." and "#" are kept.
    fileprivate var trimmed: String {
        let ends: Set<Character> = [" ", "-", "–", "—", "_", ",", ".", ":", "#", "~"]
        let start = drop { ends.contains($0) && $0 != "." && $0 != "#" }
        guard let last = start.lastIndex(where: { !ends.contains($0) }) else { return "" }
        return String(start[...last])
    }
}
