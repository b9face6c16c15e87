/// The words of page names that state the place of a page: a cover is first, a colophon last.
enum PlaceWord {
    /// Returns the place that a word at `start` states and the number of its scalars; nil for other words.
    ///
    /// Only a number may follow it: "cover 2" is a cover, and "cover story" is not. Negative places are before the numbered
    /// pages.
    static func read(_ scalars: [Unicode.Scalar], at start: Int) -> (place: Int, count: Int)? {
        // Not further than necessary: this runs at every position of a name.
        guard scalars.count - start <= maximumCount, isBoundary(scalars, at: start) else { return nil }
        let rest = scalars[start...]
        let end = rest.lastIndex { !isSeparator($0) && !("0"..."9").contains($0) } ?? start
        var word = String.UnicodeScalarView()
        for scalar in rest[...end] where !isSeparator(scalar) { word.append(scalar) }
        return places[String(word).lowercased()].map { ($0, end - start + 1) }
    }

    /// The length of the longest word with a number.
    private static let maximumCount = 28

    private static func isBoundary(_ scalars: [Unicode.Scalar], at start: Int) -> Bool {
        guard start > 0 else { return true }
        let before = scalars[start - 1]
        if !scalars[start].isASCII, JapaneseOrdinal.counters.contains(before) || before.isASCII { return true }
        return !JapaneseOrdinal.isWord(before) && !("0"..."9").contains(before)
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "_", "-", ".", "(", ")", "[", "]"].contains(scalar)
    }

    /// The places by the words, without separators.
    private static let places: [String: Int] = Dictionary(
        [
            -5: ["cover", "frontcover", "coverfront", "表紙", "表表紙", "オモテ表紙", "カバー", "表カバー", "封面", "표지", "앞표지"],
            -4: ["insidecover", "insidefrontcover", "表紙裏", "カバー裏"],
            -3: ["titlepage", "扉", "口絵", "frontispiece"],
            -2: ["contents", "tableofcontents", "toc", "目次", "もくじ", "目录", "目錄", "차례"],
            -1: ["foreword", "preface", "まえがき", "前書き", "はじめに", "序文", "前言"],
            1: ["afterword", "postscript", "あとがき", "後書き", "後書", "おわりに", "后记", "後記"],
            2: ["colophon", "奥付", "奥付け", "おくづけ", "版权页", "版權頁", "판권"],
            3: ["insidebackcover", "裏表紙裏"],
            4: ["backcover", "coverback", "裏表紙", "うら表紙", "裏カバー", "封底", "뒤표지"],
        ].flatMap { place, words in words.map { ($0, place) } }
    ) { first, _ in first }
}
