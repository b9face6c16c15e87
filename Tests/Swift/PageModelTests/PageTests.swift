import PageModel
import Testing

@Suite struct PageTests {
    private func page(_ id: Int) -> Page {
        Page(id: id, name: "page \(id)") { Picture(size: nil, representations: []) }
    }

    @Test func aPageShowsItsOwnPageOfTheSource() {
        #expect(page(3).sourceID == 3)
    }

    /// In another book all numbers are counted on, also that of the page which a half is of.
    @Test func aRenamedPageShowsTheSamePage() {
        var half = page(7)
        half.sourceID = 4
        let renamed = half.renamed("b.cbz: page 4, right half", id: 107)
        #expect(renamed.id == 107 && renamed.sourceID == 104)
        half.sourceID = nil
        #expect(half.renamed("blank page", id: 107).sourceID == nil)
    }

    @Test func wideOrDoublePageShowsASpread() {
        let (square, wide) = (PixelSize(width: 30, height: 30), PixelSize(width: 31, height: 30))
        #expect(!square.isWide() && wide.isWide() && !wide.isWide(ratio: 1.1) && square.isWide(ratio: 0.9))
        var page = page(1)
        #expect(page.showsSpread(wide) && !page.showsSpread(square) && !page.showsSpread(nil))
        page.isDoublePage = true
        #expect(page.showsSpread(square) && page.showsSpread(nil))
    }
}
