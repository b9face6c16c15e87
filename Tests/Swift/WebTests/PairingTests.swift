import AdapterKit
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Spreads
@testable import WebSink

/// Books are paired alike by `Spreads`, by what `WebSink` writes of their sides, and by the reader's script.
@Suite struct PairingTests {
    /// The properties of a book that matter for pairing.
    struct Book {
        var kinds: [Pairing.Kind] = []
        var cover = Pairing.Cover.alone
        var shifts: Set<Int> = []

        /// A book of up to 40 pages in which anything may follow anything.
        init(_ random: inout SplitMix) {
            let count = Int.random(in: 0...40, using: &random)
            let rare = Int.random(in: 2...12, using: &random)
            kinds = (0..<count).map { place in
                if place == 0, Bool.random(using: &random) { return .first }
                guard Int.random(in: 0..<rare, using: &random) == 0 else { return .plain }
                return [Pairing.Kind.wide, .bound, .first].randomElement(using: &random) ?? .plain
            }
            cover = Bool.random(using: &random) ? .alone : .paired
            for place in 0..<count where Int.random(in: 0..<rare + 3, using: &random) == 0 { shifts.insert(place) }
        }

        var direction: Direction { kinds.count.isMultiple(of: 2) ? .rightToLeft : .leftToRight }

        var pairing: Pairing { Pairing(kinds, cover: cover, shifts: shifts) }

        /// The input of the reader's script: kinds, whether a cover stands alone, shifts; and the expected spreads.
        var json: JSON {
            let spreads = pairing.spreads.map { spread -> JSON in
                switch spread {
                case .cover(let page): ["cover": .integer(page)]
                case .wide(let page): ["wide": .integer(page)]
                case .facing(let first, let second): ["first": JSON(first), "second": JSON(second)]
                }
            }
            return [
                "kinds": JSON(kinds.map { .string($0.rawValue) }), "alone": .boolean(cover == .alone),
                "shifts": JSON(shifts.sorted().map(JSON.integer)), "spreads": JSON(spreads),
                "direction": .string(direction.rawValue),
                "sides": JSON(pairing.sides(direction, count: kinds.count).map { .string($0.rawValue) }),
            ]
        }
    }

    /// The same spreads and sides in Swift and in the browser, for ten thousand books.
    @Test(.needs("chromium", "chromedriver"), .needs(modules: "selenium"))
    func theReaderPairsAsSpreadsDo() throws {
        let scratch = try ScratchFolder()
        var random = SplitMix(seed: 2026)
        let books = (0..<10_000).map { _ in Book(&random) }
        #expect(books.count { $0.shifts.count > 2 && $0.kinds.contains(.bound) } > 500)
        try scratch.write("vectors.json", Array(JSON(books.map(\.json)).text.utf8))
        for (name, bytes) in ReaderFiles.beside(isShelf: false, hasText: false) { try scratch.write(name, bytes) }
        try scratch.write(ReaderFiles.document, ReaderDocument.book(title: "Pairing", pages: []))
        let script = "\(BuiltJisui.repository)/Tests/Programs/Browser/pages.py"
        let outcome = try Program.outcome("'\(script)' pairing \(ReaderFiles.document)", in: scratch.path)
        #expect(
            outcome.outputText.hasPrefix(#"{"books": 10000, "different": [],"#),
            "\(outcome.outputText) \(outcome.errorText)")
    }

    /// The data that `WebSink` writes for pages with sides gives the same sides again.
    @Test func sidesRoundTripThroughTheWrittenBook() {
        var random = SplitMix(seed: 7)
        var different = 0
        for _ in 0..<10_000 {
            var book = Book(&random)
            // The sides of a second cover tell nothing of whether it is one.
            if book.kinds.dropFirst().contains(.first) { continue }
            if book.kinds.isEmpty { continue }
            let direction: Direction = Bool.random(using: &random) ? .rightToLeft : .leftToRight
            let sides = book.pairing.sides(direction, count: book.kinds.count)
            let pages = zip(sides, book.kinds).map { WebPage(side: $0, isDouble: $1 == .wide) }
            let written = WebPairing(pages, firstSide: direction.firstSide)
            let again = Pairing(
                written.kinds, cover: written.coverIsAlone ? .alone : .paired, shifts: Set(written.shifts))
            // Books without any page that has a side are paired by the rules.
            guard sides.contains(where: { $0 != .single }) else { continue }
            if again.sides(direction, count: sides.count) != sides { different += 1 }
            book.shifts = []
        }
        #expect(different == 0)
    }

    /// Combined books: the sides of one say nothing about another, whose cover is alone.
    @Test(arguments: [false, true]) func aBookWithoutSidesIsPairedByTheRules(_ coverIsAlone: Bool) {
        let given: [Side] = coverIsAlone ? [.single, .left, .right] : [.left, .right, .left]
        let other = [Side](repeating: .single, count: 4)
        let paired = given.map { WebPage(side: $0, isDouble: false) }
        let unpaired = other.map { WebPage(side: $0, isDouble: false, book: 1) }
        let written = WebPairing(paired + unpaired, firstSide: .left)
        let again = Pairing(written.kinds, cover: written.coverIsAlone ? .alone : .paired, shifts: Set(written.shifts))
        #expect(again.sides(.leftToRight, count: 7) == given + [.single, .left, .right, .left])
        let before = other.map { WebPage(side: $0, isDouble: false) }
        let after = given.map { WebPage(side: $0, isDouble: false, book: 1) }
        let swapped = WebPairing(before + after, firstSide: .left)
        let sides = Pairing(swapped.kinds, cover: swapped.coverIsAlone ? .alone : .paired, shifts: Set(swapped.shifts))
            .sides(.leftToRight, count: 7)
        #expect(sides == [.single, .left, .right, .left] + given)
    }

    /// Pages that `--shift` moved stay moved when the folder is read again; unpaired pages have no sides.
    @Test func sidesRoundTripThroughTheFolder() throws {
        let scratch = try ScratchFolder()
        for number in 1...7 {
            try scratch.write("in/\(number).png", try Files.read("\(BuiltJisui.fixtures)/good/Imaging/gray.png"))
        }
        func jisui(_ arguments: String...) throws -> [UInt8] {
            let outcome = try BuiltJisui.run(arguments + ["--to", "web", "-q"], in: scratch.path)
            #expect(outcome.status == 0, "\(outcome.errorText)")
            return try scratch.read("\(arguments[2])/book.json")
        }
        for (name, options) in [
            ("shift", ["--spreads", "pair", "--shift", "3,6"]), ("paired", ["--spreads", "pair", "--cover", "paired"]),
            ("usual", ["--spreads", "pair"]), ("none", []),
        ] {
            let arguments = ["in", "-o", name, "--direction", "rtl", "--to", "web", "-q"] + options
            #expect(try BuiltJisui.run(arguments, in: scratch.path).status == 0)
            let first = try scratch.read("\(name)/book.json")
            #expect(try jisui(name, "-o", "\(name)-again") == first)
            #expect(try BuiltJisui.run([name, "-o", "\(name).epub", "-q"], in: scratch.path).status == 0)
            let package = try Program.outcome("unzip -p '\(name).epub' item/standard.opf", in: scratch.path).outputText
            let direct = try BuiltJisui.run(
                ["in", "-o", "\(name)-direct.epub", "--direction", "rtl", "--title", name, "-q"] + options,
                in: scratch.path)
            #expect(direct.status == 0)
            let other = try Program.outcome("unzip -p '\(name)-direct.epub' item/standard.opf", in: scratch.path)
            let sides = { (text: String) in text.matches(of: /properties="[^"]*spread[^"]*"/).map { String($0.output) }
            }
            #expect(sides(package) == sides(other.outputText) && !sides(package).isEmpty)
        }
    }
}

extension WebPage {
    /// A page that only matters by its place in a spread.
    fileprivate init(side: Side, isDouble: Bool, book: Int = 0) {
        let size = PixelSize(width: isDouble ? 30 : 10, height: 15)
        var page = Page(id: 1, name: "page", side: side) { throw AdapterError(.damaged, "is no page") }
        page.book = book
        page.isDoublePage = isDouble
        self.init(FinishedPage(number: 1, page: page, encoding: .png, size: size, bytes: []), Framing(size), file: "")
    }
}
