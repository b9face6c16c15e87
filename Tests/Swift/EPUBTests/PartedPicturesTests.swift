internal import AdapterKit
internal import PageModel
import Testing

@testable import EPUBSource

/// Documents of which each picture becomes a page of its own.
@Suite struct PartedPicturesTests {
    @Test func aBookOfManyHasOneWarning() {
        var parted = PartedPictures()
        #expect(parted.warning == nil)
        parted.add("1.xhtml", 1...2, hasLinks: false)
        #expect(parted.warning?.page == 1)
        #expect(parted.warning?.explanation.english == "1.xhtml: each of its 2 images became a page of its own")
        for number in 1...11 { parted.add("\(number).xhtml", 2 * number + 1...2 * number + 2, hasLinks: number == 3) }
        #expect(parted.warning?.page == nil)
        #expect(
            parted.warning?.message.english
                == "each image of 12 documents with several images became a page of its own: pages 1-2, 3-4, 5-6, 7-8, "
                + "9-10, 11-12, 13-14, 15-16, 17-18, 19-20 and those of 2 more; links of these documents were left out")
    }
}
