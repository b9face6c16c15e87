import PageModel
import Testing

/// The places of words and links after edits of their page. ConversionTests check that the pixels move to the same
/// places.
@Suite struct PageMapTests {
    private let size = PixelSize(width: 200, height: 100)
    private let word = PageArea(left: 0.1, top: 0.2, right: 0.3, bottom: 0.4)

    private func map(_ edits: [Edit], _ size: PixelSize? = nil) -> PageMap {
        var map = PageMap(size ?? self.size)
        for edit in edits { map.append(edit) }
        return map
    }

    private func expect(_ area: PageArea, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
        let pairs = [(area.left, left), (area.top, top), (area.right, right), (area.bottom, bottom)]
        #expect(pairs.allSatisfy { abs($0 - $1) < 1e-9 }, "\(area)")
    }

    @Test func aPageThatStaysKeepsItsPlaces() {
        expect(map([]).place(of: word), 0.1, 0.2, 0.3, 0.4)
    }

    @Test func aCropMovesAndEnlarges() {
        let crop = Edit.crop(PixelRect(x: 20, y: 10, width: 100, height: 50))
        expect(map([crop]).place(of: word), 0, 0.2, 0.4, 0.6)
        // The second crop counts from the first.
        let both = map([crop, .crop(PixelRect(x: 0, y: 10, width: 50, height: 40))])
        expect(both.place(of: word), 0, 0, 0.8, 0.5)
    }

    @Test func aQuarterTurnTurnsWords() {
        let turned = map([.turn(quarters: 1)])
        expect(turned.place(of: word), 0.6, 0.1, 0.8, 0.3)
        #expect(turned.turns == 1)
        let around = map([.turn(quarters: 1), .turn(quarters: 3)])
        expect(around.place(of: word), 0.1, 0.2, 0.3, 0.4)
        #expect(around.turns == 0)
    }

    @Test func oppositeTurnsCancelOut() {
        for quarters in 1...3 {
            let there = map([.turn(quarters: quarters), .turn(quarters: 4 - quarters)])
            expect(there.place(of: word), 0.1, 0.2, 0.3, 0.4)
        }
    }

    @Test func framingMapsLikeItsEdits() throws {
        let edits: [Edit] = [
            .crop(PixelRect(x: 7, y: 3, width: 150, height: 80)), .turn(quarters: 3),
            .crop(PixelRect(x: 5, y: 9, width: 60, height: 120)),
        ]
        for value in 1...8 {
            let orientation = try #require(Orientation(exif: value))
            let upright = orientation.applied(to: size)
            guard let framing = Framing(size, orientation, edits: edits) else { continue }
            let one = PageMap(from: Framing(size, orientation), to: framing)
            let other = map(edits, upright)
            let place = other.place(of: word)
            expect(one.place(of: word), place.left, place.top, place.right, place.bottom)
            #expect(one.turns == 3)
        }
    }

    /// A crop after an operation refers to the size that the operation left.
    @Test func operationsMoveWords() {
        var map = PageMap(size)
        map.append(.change(Shifted(across: 0.1, frame: FitBox(width: 100, height: nil))))
        map.append(.crop(PixelRect(x: 10, y: 10, width: 50, height: 40)))
        expect(map.place(of: word), 0.2, 0, 0.6, 0.25)
    }

    @Test func eachHalfGetsItsWords() {
        let line = TextLine([
            TextWord("left", PageArea(left: 0.1, top: 0.1, right: 0.2, bottom: 0.2)),
            TextWord("fold", PageArea(left: 0.46, top: 0.1, right: 0.52, bottom: 0.2)),
            TextWord("right", PageArea(left: 0.7, top: 0.1, right: 0.9, bottom: 0.2)),
        ])
        let halves = [0, 100].map { x in
            map([.keep(PixelRect(x: x, y: 0, width: 100, height: 100), of: size)]).placed([line])
        }
        #expect(halves[0].map(\.text) == ["left fold"])
        #expect(halves[1].map(\.text) == ["right"])
        // As much as is seen of it.
        expect(halves[0][0].words[1].area, 0.92, 0.1, 1, 0.2)
    }

    @Test func linkReducedToASliverIsDropped() {
        let link = PageLink(PageArea(left: 0.1, top: 0, right: 0.52, bottom: 1), to: .page(3, at: nil))
        let halves = [0, 100].map { x in
            map([.keep(PixelRect(x: x, y: 0, width: 100, height: 100), of: size)]).placed([link])
        }
        #expect(halves[0].map(\.target) == [.page(3, at: nil)])
        #expect(halves[1].isEmpty)
    }

    @Test func pageInASpreadIsMappedToItsPlace() {
        var map = PageMap(size)
        map.place(at: PixelRect(x: 210, y: 50, size), on: PixelSize(width: 410, height: 150))
        let place = map.place(of: PageArea.page)
        expect(place, 210 / 410.0, 50 / 150.0, 1, 1)
    }
}

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"), ("HTTP://example.org", "http://example.org"),
        ("mailto:someone@example.org", "mailto:someone@example.org"), ("tel:+81-3-1234", "tel:+81-3-1234"),
        ("https://example.org/本", "https://example.org/%E6%9C%AC"), ("https://a/\"<>", "https://a/%22%3C%3E"),
        ("https://a/b c", "https://a/b%20c"), ("https://a/%41", "https://a/%41"),
    ])
    func addressesAreWrittenInASCII(_ given: String, _ expected: String) {
        #expect(WebAddress(given)?.text == expected)
    }

    @Test(arguments: [
        "javascript:alert(1)", "java\u{300}script:x", "data:text/html,x", "file:///etc/passwd", "vbscript:x",
        "example.org",
        "", ":", "https:", "https://a\nb", "https://a\u{0}", "h\u{200B}ttps://a", "ＨＴＴＰ://a",
    ])
    func unsafeOrInvalidAddressesAreRejected(_ given: String) {
        #expect(WebAddress(given) == nil)
    }

    @Test func tooLongAddressIsRejected() {
        #expect(WebAddress("https://" + String(repeating: "a", count: 5000)) == nil)
    }

    @Test func numbersOfPagesAreCountedOnWithTheirBook() async throws {
        var page = Page(id: 3, name: "a") { throw CancellationError() }
        page.links = { [PageLink(.page, to: .page(2, at: nil)), PageLink(.page, to: .other("a script"))] }
        let moved = page.renamed("b", id: 13)
        #expect(try await moved.links().map(\.target) == [.page(12, at: nil), .other("a script")])
    }
}
