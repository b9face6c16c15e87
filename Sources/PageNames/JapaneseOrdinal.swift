/// The Japanese ways to count volumes without digits: 第十二巻, 巻之三, 其の四, 三話, 上巻, （中）, 後編.
enum JapaneseOrdinal {
    /// Returns the number at `start` and the number of its scalars, or nil if there is not a number there.
    static func read(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        position(scalars, at: start) ?? numeral(scalars, at: start)
    }

    /// Reads 上, 中, 下, 前, 後 when they are alone, before a counter or after one (巻上); in 上田 or 中村 they are just text.
    private static func position(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        let value =
            switch scalars[start] {
            case "上", "前": 1
            case "中": 2
            case "下", "後": 3
            default: 0
            }
        guard value > 0 else { return nil }
        let begins =
            start == 0 || !isWord(scalars[start - 1]) || counters.contains(scalars[start - 1])
            || follows(scalars, at: start)
        guard begins else { return nil }
        let next = start + 1
        guard next == scalars.count || counters.contains(scalars[next]) || !isWord(scalars[next]) else { return nil }
        return (value, 1)
    }

    /// Reads a kanji numeral below 10,000 after 第 or 巻, before a counter, or alone.
    private static func numeral(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        // Not further than necessary: this runs at every position of a name.
        let run = scalars[start...].prefix(maximumDigits + 1).prefix { digits[$0] != nil || units[$0] != nil }
        guard !run.isEmpty, run.count <= maximumDigits else { return nil }
        let precedes = run.endIndex < scalars.count && counters.contains(scalars[run.endIndex])
        let endsWord = run.endIndex == scalars.count || !isWord(scalars[run.endIndex])
        let beginsWord = start == 0 || !isWord(scalars[start - 1])
        guard precedes || follows(scalars, at: start) || endsWord && (beginsWord || endsCounter(scalars, at: start))
        else { return nil }
        var total = 0
        var digit: Int?
        for scalar in run {
            if let unit = units[scalar] {
                total += (digit ?? 1) * unit
                digit = nil
            } else if let value = digits[scalar] {
                // 二五 is written for 25 as well as 二十五.
                digit = (digit ?? 0) * 10 + value
            }
        }
        return (total + (digit ?? 0), run.count)
    }

    /// Whether a word for a number is before a place: 第, 其の, その, 巻之, 巻ノ.
    private static func follows(_ scalars: [Unicode.Scalar], at start: Int) -> Bool {
        guard start > 0 else { return false }
        if scalars[start - 1] == "第" { return true }
        guard start > 1, particles.contains(scalars[start - 1]) else { return false }
        return leaders.contains(scalars[start - 2])
    }

    /// Whether a counter is before a place, as in 巻一. In 一巻一 it belongs to the number before it.
    private static func endsCounter(_ scalars: [Unicode.Scalar], at start: Int) -> Bool {
        guard start > 0, counters.contains(scalars[start - 1]) else { return false }
        return start == 1 || digits[scalars[start - 2]] == nil && units[scalars[start - 2]] == nil
    }

    private static let particles: Set<Unicode.Scalar> = ["の", "之", "ノ", "乃"]
    private static let leaders: Set<Unicode.Scalar> = ["其", "そ", "巻", "卷", "章"]

    /// The kanji of the longest numeral below 10,000: 九千九百九十九.
    private static let maximumDigits = 7

    static let counters: Set<Unicode.Scalar> = [
        "巻", "卷", "話", "章", "回", "部", "集", "号", "冊", "編", "篇", "頁", "節", "幕", "夜", "册",
    ]
    private static let digits: [Unicode.Scalar: Int] = [
        "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
        // The forms for documents.
        "零": 0, "壱": 1, "壹": 1, "弐": 2, "貳": 2, "参": 3, "參": 3,
    ]
    private static let units: [Unicode.Scalar: Int] = ["十": 10, "拾": 10, "百": 100, "千": 1000]

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.isIdeographic
    }
}
