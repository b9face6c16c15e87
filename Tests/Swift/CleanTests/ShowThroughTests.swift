import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Clean

/// Leaves that are made here: each side has print of its own, and shows that of the other one, mirrored and blurred.
@Suite struct ShowThroughTests {
    private static let (width, height) = (400, 560)

    /// Returns a white page with rectangles of print, the widest of which have 40 pixels, at places that depend on a seed.
    private static func print(_ seed: UInt64, _ count: Int = 70, widest: Int = 40) -> Plane {
        var page = Plane(width: width, height: height, repeating: 1)
        var state = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<count {
            let (left, top) = (30 + next(width - 100), 30 + next(height - 80))
            let (right, bottom) = (left + widest / 4 + next(widest * 3 / 4), top + 6 + next(14))
            for y in top..<bottom { for x in left..<right { page.values[y * width + x] = 0.1 } }
        }
        return page
    }

    /// Returns the print behind a page.
    private static func behind(_ back: Plane, _ x: Int, _ y: Int) -> Plane {
        var result = Plane(width: width, height: height, repeating: 0)
        let mirrored = back.mirrored
        for row in 40..<height - 40 {
            for column in 40..<width - 40 {
                result.values[row * width + column] = 1 - mirrored.values[(row + y) * width + column + x]
            }
        }
        return result.blurred(radius: 2)
    }

    /// Returns a page as a scanner sees it: on darker paper, with the print of the back at a strength.
    private static func scan(_ front: Plane, _ back: Plane, _ x: Int = 5, _ y: Int = -3, strength: Float = 0.15)
        -> Plane
    {
        var result = front
        let shade = behind(back, x, y)
        for place in result.values.indices {
            result.values[place] *= 0.8 * (1 - strength * shade.values[place])
        }
        return result
    }

    /// Returns how much darker paper is over print than over paper.
    private static func ghost(_ page: Plane, _ front: Plane, _ back: Plane) -> Float {
        let shade = behind(back, 5, -3)
        var (over, beside): ((Float, Float), (Float, Float)) = ((0, 0), (0, 0))
        for place in page.values.indices where front.values[place] == 1 {
            if shade.values[place] > 0.8 { over = (over.0 + page.values[place], over.1 + 1) }
            if shade.values[place] == 0 { beside = (beside.0 + page.values[place], beside.1 + 1) }
        }
        return (beside.0 / beside.1 - over.0 / over.1) * 255 / 0.8
    }

    private static func view(_ page: Plane) -> LeafView { LeafView(page, scale: 1, unit: 2) }

    @Test func thePrintOfTheOtherSideIsRemoved() {
        let (front, back) = (Self.print(1), Self.print(2))
        let page = Self.scan(front, back)
        #expect(Self.ghost(page, front, back) > 25)
        let (side, reverse) = (LeafSide(page), LeafSide(Self.scan(back, front)))
        let found = ShowThrough(side, reverse, x: 2, y: -1)
        #expect(abs(found.strength - 0.15) < 0.03)
        let remains = found.remains(reverse, width: Self.width, height: Self.height)
        var clean = page
        for place in clean.values.indices { clean.values[place] /= remains.values[place] }
        #expect(abs(Self.ghost(clean, front, back)) < 3)
    }

    /// A dark image is print all over, not dark paper with print of its own.
    @Test func darkImagesAreDarkerThanThePaper() {
        var page = Plane(width: Self.width, height: Self.height, repeating: 0.8)
        for y in 200..<400 { for x in 0..<300 { page.values[y * Self.width + x] = 0.16 } }
        let side = LeafSide(page)
        #expect(abs(side.darkness.values[300 * Self.width + 120] - 0.8) < 0.05)
        #expect(side.darkness.values[100 * Self.width + 120] < 0.05)
    }

    /// Large shapes still correlate at wrong places of the other side, but hardly with one that is not mirrored.
    @Test(arguments: [(160, 20), (10, 200)]) func theSidesOfALeafAreFound(count: Int, widest: Int) throws {
        var leaves = BookLeaves()
        let pages = (1...4).map { Self.print(UInt64($0), count, widest: widest) }
        for index in pages.indices { leaves.append(Self.view(Self.scan(pages[index], pages[index ^ 1]))) }
        for index in pages.indices {
            let reverse = try #require(leaves.reverse(of: index))
            #expect(reverse.index == index ^ 1)
            // The shift is that of the made leaf, within a pixel of the search.
            #expect(abs(reverse.side.x - 5) <= 4 && abs(reverse.side.y + 3) <= 4)
        }
    }

    /// Pages with the same lines of text correlate by their layout, but show nothing of each other.
    @Test func opaquePagesAreNoLeaves() {
        var leaves = BookLeaves()
        for seed in 1...4 {
            let page = Self.scan(Self.print(UInt64(seed)), Self.print(9), strength: 0)
            leaves.append(Self.view(page))
        }
        #expect((0..<4).allSatisfy { leaves.reverse(of: $0) == nil })
    }

    /// The paper of a page is read again without the print of the other side.
    @Test func whiteningReadsThePaperOfTheChangedPage() throws {
        let size = PixelSize(width: 1000, height: 1200)
        func page(_ level: UInt8) -> Raster {
            let print = (0..<size.area).map { place -> UInt8 in
                let (x, y) = (place % size.width, place / size.width)
                return y % 40 < 12 && x % 14 < 4 && (100..<900).contains(x) ? 30 : level
            }
            return Raster(size: size, format: .gray(bits: 8), samples: print)
        }
        let surface = try #require(PaperReading(page(150)).surface)
        let kept = Whiten(surface, paper: .white).apply(to: page(220))
        let read = Whiten(surface, paper: .white, readsAgain: true).apply(to: page(220))
        #expect(read.samples[0] == 255 && read.samples[5 * size.width + 101] < 45)
        #expect(kept.samples[5 * size.width + 101] > read.samples[5 * size.width + 101])
    }

    @Test func showThroughStaysWithOff() throws {
        for (mode, removes) in [("auto", true), ("off", false)] {
            let given = ["whiten": "auto", "show-through": mode]
            let options = try CleanOptions(Settings(Clean().descriptor.settings, given: given))
            #expect(options.removesShowThrough == removes)
        }
    }
}
