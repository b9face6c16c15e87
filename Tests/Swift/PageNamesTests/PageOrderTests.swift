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
        // Decimals of chapters, pages and folders.
        ["Chapter_9_Zebra/1.jpg", "Chapter_9.5_Extra/1.jpg", "Chapter_10_Ant/1.jpg"],
        ["c022_p001.jpg", "c023_p001.jpg", "c023_p002.jpg", "c023.5_p001.jpg", "c024_p001.jpg"],
        ["9.jpg", "9.25.jpg", "9.5.jpg", "9.75.jpg", "10.jpg"],
        ["ch 0.5 a.jpg", "ch 1 a.jpg", "ch 1.05 a.jpg", "ch 1.5 a.jpg"],
        ["第９話 a/1.jpg", "第９．５話 a/1.jpg", "第１０話 a/1.jpg"], ["v1,5 x.jpg", "v2 x.jpg"],
        ["Chapter 9 Zebra", "Chapter 9.5 Extra", "Chapter 10"],
        // Parts, dates and thousands are not decimals.
        ["2.1.jpg", "2.2.jpg", "2.9.jpg", "2.10.jpg", "2.11.jpg", "3.1.jpg"], ["1.5.jpg", "1.10.jpg"],
        ["2024.1.5.jpg", "2024.1.10.jpg", "2024.10.2.jpg"], ["1,000.jpg", "1,001.jpg", "999.jpg"],
        // Kanji after their counter, alone, and in the forms of documents.
        ["巻一.jpg", "巻二.jpg", "巻三.jpg", "巻十.jpg", "巻十一.jpg"], ["巻之一.jpg", "巻之二.jpg", "巻之三.jpg"],
        ["本 巻一 a.jpg", "本 巻二 a.jpg", "本 巻三 a.jpg"], ["其の一.jpg", "其の二.jpg", "其の三.jpg"],
        ["一.jpg", "二.jpg", "三.jpg", "十.jpg"], ["物語 (一).jpg", "物語 (二).jpg", "物語 (三).jpg"],
        ["第壱話.jpg", "第弐話.jpg", "第参話.jpg"], ["巻上.jpg", "巻中.jpg", "巻下.jpg"],
    ])
    func namesAreInShelfOrder(_ names: [String]) {
        #expect(sorted(names) == names)
        #expect(sorted(names.reversed()) == names)
    }

    /// 上 and 中 in a word or a name count nothing.
    @Test func positionsInWordsAreText() {
        #expect(sorted(["中村.jpg", "上田.jpg", "下田.jpg"]) == ["上田.jpg", "下田.jpg", "中村.jpg"])
    }

    /// Kanji numbers in words and names count nothing.
    @Test func numbersInWordsAreText() {
        #expect(sorted(["三田.jpg", "一宮.jpg", "二宮.jpg"]) == ["一宮.jpg", "三田.jpg", "二宮.jpg"])
    }

    /// The first list has the order of the names, the second that of reading.
    @Test(arguments: [
        (["001.jpg", "002.jpg", "cover.jpg"], ["cover.jpg", "001.jpg", "002.jpg"]),
        (["001.jpg", "あとがき.jpg", "奥付.jpg", "表紙.jpg"], ["表紙.jpg", "001.jpg", "あとがき.jpg", "奥付.jpg"]),
        (
            ["a-1.jpg", "a-2.jpg", "a-back cover.jpg", "a-Cover.jpg"],
            ["a-Cover.jpg", "a-1.jpg", "a-2.jpg", "a-back cover.jpg"]
        ),
        (
            ["1/01.jpg", "1/cover.jpg", "2/01.jpg", "2/cover.jpg"],
            ["1/cover.jpg", "1/01.jpg", "2/cover.jpg", "2/01.jpg"]
        ),
        (["1/01.jpg", "2/01.jpg", "奥付/1.jpg", "表紙/1.jpg"], ["表紙/1.jpg", "1/01.jpg", "2/01.jpg", "奥付/1.jpg"]),
        (["第1巻/1.jpg", "第1巻/表紙.jpg", "第1巻/裏表紙.jpg"], ["第1巻/表紙.jpg", "第1巻/1.jpg", "第1巻/裏表紙.jpg"]),
    ])
    func wordsStateThePlacesOfPages(_ names: [String], _ read: [String]) throws {
        #expect(sorted(names) == names)
        let (order, named) = try #require(PageOrder.readingOrder(of: names))
        #expect(order.map { names[$0] } == read && !named.isEmpty)
    }

    /// A number before the word decides, and the word in another one does not count.
    @Test(arguments: [
        ["000_cover.jpg", "001.jpg", "002_奥付.jpg", "003.jpg"], ["001.jpg", "cover story.jpg", "discovery.jpg"],
        ["cover.jpg", "p1.jpg", "p2.jpg"], ["1.jpg", "2.jpg"],
    ])
    func otherNamesKeepTheirOrder(_ names: [String]) {
        #expect(PageOrder.readingOrder(of: names) == nil)
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
