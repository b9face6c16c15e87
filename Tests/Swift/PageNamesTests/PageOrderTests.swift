import Glibc
import PageNames
import Scratch
import Testing

@Suite struct PageOrderTests {
    private func sorted(_ names: [String]) -> [String] {
        PageOrder.sorted(names, by: \.self)
    }

    /// Each list is in the order a reader expects.
    @Test(arguments: [
        ["1.jpg", "2.jpg", "9.jpg", "10.jpg", "100.jpg"],
        ["p1.jpg", "p９.jpg", "p１０.jpg", "p11.jpg"],
        ["第1巻/1.jpg", "第２巻/1.jpg", "第10巻/1.jpg"],
        ["上.jpg", "中.jpg", "下.jpg"],
        ["本 上巻/1.jpg", "本 中巻/1.jpg", "本 下巻/1.jpg"],
        ["前編.jpg", "後編.jpg"],
        ["第九巻.jpg", "第十巻.jpg", "第十一巻.jpg", "第二十巻.jpg", "第百巻.jpg"],
        ["1.jpg", "1-2.jpg", "2.jpg"],
        ["a/2.jpg", "a/10.jpg", "a b/1.jpg", "b/1.jpg"],
        ["1.jpg", "01.jpg", "001.jpg", "2.jpg"],
        ["cover.jpg", "Page1.jpg", "page2.jpg", "PAGE3.jpg"],
        ["1.gif", "1.jpg", "1.png"],
        [
            "99999999999999999999999999999999999998.jpg", "99999999999999999999999999999999999999.jpg",
            "100000000000000000000000000000000000000.jpg",
        ],
        ["0.jpg", "1.jpg"], ["x.jpg", "x1.jpg", "xa.jpg"], ["1a.jpg", "1b.jpg", "a1.jpg"],
        ["1/2/3.jpg", "1/10/3.jpg", "1/10/20.jpg"],
        // Folders whose names are equal but for their writing do not mix.
        [
            "Chapter 1/1.jpg", "Chapter 1/2.jpg", "chapter 1/1.jpg", "chapter 1/2.jpg", "Chapter 01/1.jpg",
            "Chapter 01/2.jpg",
        ],
        ["vol 3/1.jpg", "vol 3/2.jpg", "vol ３/1.jpg", "vol ３/2.jpg"],
        ["下/1.jpg", "下/2.jpg", "後/1.jpg", "後/2.jpg"],
        ["1.jpg", "1.png", "1/1.jpg", "1/2.jpg"],
    ])
    func namesAreInShelfOrder(_ names: [String]) {
        #expect(sorted(names) == names)
        #expect(sorted(names.reversed()) == names)
    }

    /// 上 and 中 in a word or a name count nothing.
    @Test func positionsInWordsAreText() {
        #expect(sorted(["中村.jpg", "上田.jpg", "下田.jpg"]) == ["上田.jpg", "下田.jpg", "中村.jpg"])
    }

    /// Eight times the length costs about eight times as much, and not 64: hostile archives have names of megabytes.
    @Test(arguments: ["aÉ", "一", "第一", "1a", "中", "a/", "か\u{3099}", "Ａ."])
    func longNamesCostNoMoreThanTheirLength(_ piece: String) {
        func cost(_ count: Int) -> Double {
            let name = String(repeating: piece, count: count)
            return (0..<3).map { _ in
                let start = clock()
                let key = PageOrder.key(for: name)
                _ = PageOrder.precedes(key, key)
                return Double(clock() - start)
            }.min() ?? 0
        }
        #expect(cost(64_000) <= 24 * max(cost(8_000), 1000))
    }

    /// が in one scalar or two is one letter: what follows it decides.
    @Test func normalizationDoesNotCount() {
        let names = ["\u{304C}1.jpg", "\u{304B}\u{3099}2.jpg", "\u{304C}3.jpg", "\u{304B}\u{3099}10.jpg"]
        #expect(sorted(names.reversed()).map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    /// U+0601 makes one `Character` with the dot behind it, which is still the dot of an extension.
    @Test func anExtensionIsFoundByItsBytes() {
        #expect(sorted(["a\u{601}/1.jpg", "a\u{601}.jpg"]) == ["a\u{601}.jpg", "a\u{601}/1.jpg"])
    }

    /// Two names that look alike are still two names, and always in the same order.
    @Test func equivalentNamesHaveAnOrder() {
        let one = PageOrder.key(for: "\u{304C}.jpg")
        let other = PageOrder.key(for: "\u{304B}\u{3099}.jpg")
        #expect(PageOrder.precedes(one, other) != PageOrder.precedes(other, one))
    }

    /// What Swift's own `<` for strings gets wrong.
    @Test func aNameAndItsContinuationInAnotherNormalForm() {
        let short = PageOrder.key(for: "\u{304B}\u{3099}.jpg")
        let long = PageOrder.key(for: "\u{304C}\u{304C}.jpg")
        #expect(PageOrder.precedes(short, long))
        #expect(!PageOrder.precedes(long, short))
    }

    /// Any three names: never equal unless the same, never both ways, never in a circle.
    @Test func theOrderIsTotal() {
        var generator = SplitMix(seed: 20_240_229)
        let pieces = [
            "0", "1", "01", "10", "２", "００", "a", "A", "ａ", "が", "か\u{3099}", "上", "巻", "第", "十", "二", "中", " ",
            "-", ".", "_", "/", "jpg", ".jpg", "é", "e\u{301}", "ß", "İ", "😀", "ﾊﾟ",
        ]
        var names: Set<RawName> = []
        while names.count < 250 {
            let count = Int.random(in: 1...6, using: &generator)
            names.insert(RawName((0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()))
        }
        let keys = names.map { PageOrder.key(for: $0.text) }
        for (index, one) in keys.enumerated() {
            #expect(!PageOrder.precedes(one, one))
            for other in keys[..<index] {
                #expect(PageOrder.precedes(one, other) != PageOrder.precedes(other, one))
            }
        }
        for _ in 0..<200_000 {
            let three = (0..<3).map { _ in keys[Int.random(in: keys.indices, using: &generator)] }
            if PageOrder.precedes(three[0], three[1]) && PageOrder.precedes(three[1], three[2]) {
                #expect(PageOrder.precedes(three[0], three[2]))
            }
        }
    }
}

/// A name that equals another only byte by byte, unlike a `String`.
private struct RawName: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: RawName, right: RawName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
