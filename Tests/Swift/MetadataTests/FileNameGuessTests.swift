import Metadata
import PageModel
import Testing

@Suite struct FileNameGuessTests {
    @Test(arguments: [
        ("Name v03 #012 (2019)", "Name, volume 3, number 12, 2019"),
        ("Name 012", "Name, number 12"),
        ("Name #12.5", "Name, number 12.5"),
        ("Name - 012 (of 12) (2020) (digital) (Group)", "Name, number 12, 2020"),
        ("Name v03", "Name, volume 3"),
        ("Name Vol. 3 ch. 21", "Name, volume 3, number 21"),
        ("Name_v01_c002", "Name, volume 1, number 2"),
        ("Name.v03.012.(2019)", "Name, volume 3, number 12, 2019"),
        ("Name - T03 - Le titre", "Name, volume 3"),
        ("Name Tome 3", "Name, volume 3"),
        ("Dr. Slump v01", "Dr. Slump, volume 1"),
        ("Name 3 - Subtitle", "Name, number 3"),
        ("[Author] Name v02 [Group]", "Name, volume 2"),
        ("Name (2019)", "Name, 2019"),
        ("Name 000 (May 2019)", "Name, number 0, 2019"),
        ("名前 第03巻", "名前, volume 3"),
        ("名前第１２巻", "名前, volume 12"),
        ("名前 第十二巻", "名前, volume 12"),
        ("名前 3巻 第21話", "名前, volume 3, number 21"),
        ("【作者】名前 第二十一話", "名前, number 21"),
        ("이름 03권", "이름, volume 3"),
        ("2000AD 0012", "2000AD, number 12"),
        ("Série n°3 v2", "Série n°3, volume 2"),
        ("v03", "volume 3"),
    ])
    func namesSuggest(_ name: String, _ guess: String) {
        #expect(FileNameGuess(name)?.description == guess)
    }

    @Test(arguments: [
        "Name", "012", "20190312", "2019-03-12", "scan 2019", "Blade Runner 2049", "Name 012-013", "", "(2019)", "#12",
        "IMG_20190312_101112", "Very 12345",
    ])
    func theseSuggestNothing(_ name: String) {
        #expect(FileNameGuess(name) == nil)
    }

    /// A guess fills only what the book does not say itself.
    @Test func theBookComesFirst() throws {
        let guess = try #require(FileNameGuess("Name v03 #012 (2019)"))
        var book = BookMetadata(series: "Own", number: "7")
        #expect(guess.beyond(book)?.description == "2019")
        guess.apply(to: &book)
        #expect(book == BookMetadata(series: "Own", number: "7", date: BookDate(year: 2019)))
        #expect(guess.beyond(book) == nil)
        var empty = BookMetadata()
        guess.apply(to: &empty)
        #expect(empty == BookMetadata(series: "Name", volume: "3", number: "12", date: BookDate(year: 2019)))
    }
}
