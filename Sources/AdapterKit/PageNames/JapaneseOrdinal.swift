/// The ways Japanese volumes are counted without digits: 第十二巻, 三話, 上巻, （中）, 後編.
enum JapaneseOrdinal {
    /// The number that stands at `start` and how many scalars it takes, or nil when none does.
    static func read(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        position(scalars, at: start) ?? numeral(scalars, at: start)
    }

    /// 上, 中, 下, 前, 後 when they stand alone or before a counter; in 上田 or 中村 they are just text.
    private static func position(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        let value =
            switch scalars[start] {
            case "上", "前": 1
            case "中": 2
            case "下", "後": 3
            default: 0
            }
        guard value > 0, start == 0 || !isWord(scalars[start - 1]) else { return nil }
        let next = start + 1
        guard next == scalars.count || counters.contains(scalars[next]) || !isWord(scalars[next]) else { return nil }
        return (value, 1)
    }

    /// A kanji numeral below 10,000 after 第 or before a counter.
    private static func numeral(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        let run = scalars[start...].prefix { digits[$0] != nil || units[$0] != nil }
        guard !run.isEmpty, run.count <= 7 else { return nil }
        let follows = start > 0 && scalars[start - 1] == "第"
        let precedes = run.endIndex < scalars.count && counters.contains(scalars[run.endIndex])
        guard follows || precedes else { return nil }
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

    private static let counters: Set<Unicode.Scalar> = [
        "巻", "卷", "話", "章", "回", "部", "集", "号", "冊", "編", "篇", "頁", "節",
    ]
    private static let digits: [Unicode.Scalar: Int] = [
        "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    ]
    private static let units: [Unicode.Scalar: Int] = ["十": 10, "百": 100, "千": 1000]

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.isIdeographic
    }
}
