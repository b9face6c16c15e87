internal import Files
internal import PageNames
internal import ZipFile

@testable import ArchiveSource

extension FuzzTarget {
    /// Names of entries in any encoding.
    static let entryNames = FuzzTarget(
        name: "entry-names", inputs: ["a/b.jpg\n\u{30BD}\n\u{E9}", "表紙.jpg\n第十二巻"], maximumBytes: 512
    ) { input in
        var choices = Choices(input)
        let word = NameEncoding.all[choices.number(0...NameEncoding.all.count - 1)].word
        let isFlagged = choices.flag()
        let names = choices.rest.split(separator: 10, omittingEmptySubsequences: false).map {
            RawName(bytes: Array($0), isFlaggedUTF8: isFlagged, mayHaveBackslashes: $0.count.isMultiple(of: 2))
        }
        for word in [nil, "auto", word] {
            let decoder = EntryNameDecoder(for: names, word: word)
            for name in names {
                let text = decoder.decode(name)
                require(text.isEmpty == name.bytes.isEmpty, "a name stays one")
                require(decoder.decode(name) == text, "a name has one text")
                if name.bytes.allSatisfy({ (32...91).contains($0) }) {
                    require(Array(text.utf8) == name.bytes, "ASCII is ASCII everywhere")
                }
                use(EntryRole(name))
            }
        }
    }

    /// The order of names: for any three of them it has to be total.
    static let pageOrder = FuzzTarget(
        name: "page-order", inputs: ["a01.jpg\na1.jpg\na10.jpg", "第十巻/上.png\n第九巻/下.png\nが/か\u{3099}"],
        words: ["第", "十", "百", "巻", "上", "中", "下", "０", "\u{3099}", "\u{FF21}", "\u{FEFF}", "\u{301}", "/", "."],
        maximumBytes: 128
    ) { input in
        let names = input.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let keys = names.map { PageOrder.key(for: $0) }
        func precedes(_ one: Int, _ other: Int) -> Bool { PageOrder.precedes(keys[one], keys[other]) }
        for one in keys.indices {
            use((JunkName.matches(names[one]), PictureName.matches(names[one]), PageFileName.matches(names[one])))
            let stem = FileName.stem(of: names[one], extensions: ["jpg", "cbz"])
            // By bytes: U+0601 makes one `Character` with the dot behind it.
            require(
                FileName.last(of: names[one]).utf8.starts(with: stem.utf8), "a stem is the beginning of a name")
            for other in keys.indices {
                let isSame = names[one].utf8.elementsEqual(names[other].utf8)
                require(precedes(one, other) != precedes(other, one) || isSame, "two names have an order, and only one")
                require(!isSame || !precedes(one, other), "no name comes before itself")
                for third in keys.indices where precedes(one, other) && precedes(other, third) {
                    require(precedes(one, third), "no three names come in a circle")
                }
            }
        }
    }
}
