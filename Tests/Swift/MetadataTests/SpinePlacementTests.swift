import AdapterKit
import PageModel
import Testing

@testable import Metadata

@Suite struct SpinePlacementTests {
    private func places(_ books: [[Side]], isRightToLeft: Bool = false) -> SpinePlacement {
        let pages = books.enumerated().flatMap { book, sides in
            sides.enumerated().map { place, side in
                SpinePlacement.Page(side: side, isCover: book == 0 && place == 0, isDouble: false, book: book)
            }
        }
        return SpinePlacement(pages, isRightToLeft: isRightToLeft)
    }

    /// The last page of the first book faces nothing.
    @Test func combinedBooksHaveCoversOfTheirOwn() {
        let unknown = [Side](repeating: .single, count: 4)
        let made = places([unknown, unknown])
        #expect(made.places == [.center, .left, .right, .left, .center, .left, .right, .left])
        #expect(made.effect == nil)
        let mirrored = places([unknown, unknown], isRightToLeft: true)
        #expect(mirrored.places == [.center, .right, .left, .right, .center, .right, .left, .right])
    }

    @Test func aBookWithoutSidesIsPlacedAsUsual() {
        let unknown = [Side](repeating: .single, count: 3)
        let later = places([[.left, .right, .single], unknown])
        #expect(later.places == [.left, .right, .center, .center, .left, .right])
        #expect(later.effect == .sidesShown)
        let earlier = places([unknown, [.single, .left, .right]])
        #expect(earlier.places == [.center, .left, .right, .center, .left, .right])
        #expect(earlier.effect == .pairedAnyway)
    }
}
