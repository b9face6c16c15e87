/// The most probable encoding of names without a stated one: Japanese, Chinese, Korean or West European.
///
/// Nearly any bytes are valid in several of these encodings. The letters that they give differ: those of the right one are
/// common, and often words of books.
public struct NameEncodingGuess: Sendable {
    /// The most probable encoding; nil if the names are not valid in any of them.
    public let encoding: NameEncoding?
    /// Whether another encoding is nearly as probable, or the names are not Japanese, which jisui expects.
    public let isDoubtful: Bool

    /// - Parameter names: the names that are not valid UTF-8.
    public init(_ names: some Sequence<[UInt8]>) {
        let parts = Set(names.flatMap { $0.split(separator: UInt8(ascii: "/")) })
            .filter { $0.contains { $0 >= 0x80 } }.prefix(NameEncodingGuess.maximumParts)
        if !parts.isEmpty, let latin = LatinNames.encoding(of: Array(parts.map { Array($0) })) {
            (encoding, isDoubtful) = (latin, true)
            return
        }
        let scores = LetterScheme.all.compactMap { scheme in scheme.score(of: parts).map { (scheme, $0) } }
        let japanese = scores.first { $0.0.encoding == .cp932 }?.1
        // Of equal ones, the first: zips are rarely made on the old systems of EUC-JP.
        let other = scores.filter { $0.0.encoding != .cp932 }.reversed().max { $0.1 < $1.1 }
        let isProbable = (other?.1 ?? 0) >= NameEncodingGuess.leastScore
        if let other, isProbable, other.1 > (japanese ?? -1) + NameEncodingGuess.leastDifference {
            (encoding, isDoubtful) = (other.0.encoding, true)
        } else {
            encoding = japanese == nil ? nil : .cp932
            let limit = isProbable ? HalfWidth.score : NameEncodingGuess.leastScore
            // Half-width letters alone are rare in names: they may be the accented capitals of another encoding.
            let areHalfWidth = parts.allSatisfy { $0.allSatisfy { $0 < 0x80 || (0xA1...0xDF).contains($0) } }
            isDoubtful = areHalfWidth || japanese.map { $0 <= limit } ?? true
        }
    }

    /// The maximum number of different names that are examined.
    private static let maximumParts = 2_000
    /// The score of rare letters among common ones. Names in European encodings have less.
    private static let leastScore = 0.6
    /// The difference by which another encoding must be more probable than Japanese.
    private static let leastDifference = 0.3
}

/// The letters of a double-byte encoding, and how common they are in names.
private struct LetterScheme: Sendable {
    let encoding: NameEncoding
    /// Letters that are frequent in the names of books.
    let frequent: Set<Unicode.Scalar>
    /// Returns the number of bytes of the letter that begins with a byte.
    let length: @Sendable (UInt8) -> Int
    /// Returns how usual a letter is by its bytes: 1 for the common letters of a standard.
    let usual: @Sendable (UInt8, UInt8) -> Double

    /// Returns the mean of all letters, from -1 to 3; nil if a name is invalid.
    func score(of names: some Sequence<ArraySlice<UInt8>>) -> Double? {
        var (sum, count) = (0.0, 0)
        var singles: [[UInt8]] = []
        var hasRare = false
        for name in names {
            guard let text = encoding.decode(Array(name)) else { return nil }
            var scalars = Array(text.unicodeScalars)[...]
            var rest = name
            var run: [UInt8] = []
            while let first = rest.popFirst() {
                let letter = scalars.popFirst()
                if encoding == .cp932, (0xA1...0xDF).contains(first) {
                    run.append(first)
                    continue
                }
                if !run.isEmpty { singles.append(run) }
                run = []
                guard first >= 0x80 else { continue }
                let second = rest.first ?? 0
                rest = rest.dropFirst(length(first) - 1)
                let value = usual(first, second)
                hasRare = hasRare || value < 0
                sum += value + (letter.map(frequent.contains) == true ? 2 : 0)
                count += 1
            }
            if !run.isEmpty { singles.append(run) }
        }
        // Other encodings give half-width katakana in any order, and rare kanji among them.
        let areWords = !hasRare && singles.allSatisfy(HalfWidth.isWord)
        for run in singles {
            sum += Double(run.count) * (areWords ? HalfWidth.score : -0.5)
            count += run.count
        }
        return count == 0 ? nil : sum / Double(count)
    }

    static let all: [LetterScheme] = [japanese, unixJapanese, simplified, traditional, korean]

    private static func letters(_ text: String) -> Set<Unicode.Scalar> { Set(text.unicodeScalars) }

    private static let japaneseLetters = letters(
        "第巻話章回上中下前後編集号冊部表紙裏目次奥付口絵扉漫画全一二三四五六七八九十日本人大小年月新特別版完結外伝短単行像頁物語"
            + "世界少女王国戦天空花愛恋夢夜光影夏春秋冬山田川海風雪雨学校生先死神魔法の")

    private static let japanese = LetterScheme(
        encoding: .cp932, frequent: japaneseLetters, length: { _ in 2 },
        usual: { lead, _ in
            switch lead {
            case 0x82, 0x83: 1.5
            case 0x81, 0x87: 0.5
            case 0x88...0x98: 1
            case 0x99...0x9F, 0xE0...0xEA: -0.5
            default: -1
            }
        })

    private static let unixJapanese = LetterScheme(
        encoding: NameEncoding.named("euc-jp"), frequent: japaneseLetters, length: { $0 == 0x8F ? 3 : 2 },
        usual: { lead, _ in
            switch lead {
            case 0xA4, 0xA5: 1.5
            case 0xA1, 0xA3: 0.5
            case 0xB0...0xCF: 1
            case 0xD0...0xF4: -0.5
            default: -1
            }
        })

    private static let simplified = LetterScheme(
        encoding: NameEncoding.named("gbk"),
        frequent: letters(
            "第话卷章回册集页封面目录前言后记的了一二三四五六七八九十上中下人大小年月日之我你他不是在有这个们来到时地国生子出会家可以"
                + "对成天东西南北全彩漫画单行本完结番外附赠版扫图汉化组无修正新旧传说世界少女战士王爱龙神魔海贼火影名侦探死亡笔高清水"),
        length: { _ in 2 },
        usual: { lead, trail in
            switch lead {
            case _ where trail < 0xA1: -1
            case 0xB0...0xD7: 1
            case 0xD8...0xF7: -0.5
            case 0xA1, 0xA3: 0.5
            case 0xA4, 0xA5: 0
            default: -1
            }
        })

    private static let traditional = LetterScheme(
        encoding: NameEncoding.named("big5"),
        frequent: letters(
            "第話卷章回冊集頁封面目錄前言後記的了一二三四五六七八九十上中下人大小年月日之我你他不是在有這個們來到時地國生子出會家可以"
                + "對成天東西南北全彩漫畫單行本完結番外附贈版掃圖漢化組無修正新舊傳說世界少女戰士王愛龍神魔海賊火影名偵探死亡筆臺灣文"),
        length: { _ in 2 },
        usual: { lead, _ in
            switch lead {
            case 0xA4...0xC6: 1
            case 0xC9...0xF9: -0.5
            case 0xA1...0xA3: 0.5
            default: -1
            }
        })

    private static let korean = LetterScheme(
        encoding: NameEncoding.named("cp949"),
        frequent: letters(
            "제화권편장회부상중하표지목차전후기만이의는을를가에서도로와과한고다나사아자라마바리시스인정일여성대소년녀세계신왕국수조주진원영"
                + "경유해호미우무안양문선연은현민생공학교검법밤별빛꽃봄름겨울집그림책단행본완결외판설작글씨"),
        length: { _ in 2 },
        usual: { lead, trail in
            switch lead {
            case _ where trail < 0xA1: -0.7
            case 0xB0...0xC8: 1
            case 0xA1, 0xA3: 0.5
            default: -0.7
            }
        })
}

/// Words in half-width katakana of JIS X 0201.
private enum HalfWidth {
    /// The score of the letters of words.
    static let score = 1.2

    /// Whether bytes may be a word: marks and small letters follow letters that can have them.
    static func isWord(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { index in
            let before = index > 0 ? bytes[index - 1] : 0
            switch bytes[index] {
            // ゛ after ウ, カ to ト and ハ to ホ; ゜ after ハ to ホ.
            case 0xDE: return before == 0xB3 || (0xB6...0xC4).contains(before) || (0xCA...0xCE).contains(before)
            case 0xDF: return (0xCA...0xCE).contains(before)
            // Small letters and the long vowel begin no word.
            case 0xA7...0xB0: return index > 0
            case 0xDD: return index > 0
            default: return true
            }
        }
    }
}
