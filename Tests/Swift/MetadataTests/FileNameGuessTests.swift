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
        // Files and folders in a folder of the series.
        ("Chapter 001", "number 1"), ("Chapter 12.5 - The Title", "number 12.5"), ("Ch. 1", "number 1"),
        ("Ch.001", "number 1"), ("c012", "number 12"), ("第3話", "number 3"), ("第3話 題名", "number 3"),
        ("第３巻", "volume 3"), ("第百二十話", "number 120"), ("제3화", "number 3"), ("v01 c003", "volume 1, number 3"),
        ("v01_c003", "volume 1, number 3"), ("Vol. 1 Chapter 3", "volume 1, number 3"),
        ("第1巻 第3話", "volume 1, number 3"), ("one-piece-chapter-1044", "one-piece, number 1044"),
        ("Kapitel 7", "number 7"),
    ])
    func namesSuggest(_ name: String, _ guess: String) {
        #expect(FileNameGuess(name)?.description == guess)
    }

    @Test(arguments: [
        "Name", "012", "20190312", "2019-03-12", "scan 2019", "Blade Runner 2049", "Name 012-013", "", "(2019)", "#12",
        "IMG_20190312_101112", "Very 12345", "Chapter", "Chapter 1-5", "Chapter One", "第話",
    ])
    func theseSuggestNothing(_ name: String) {
        #expect(FileNameGuess(name) == nil)
    }

    @Test func volumesAreToldFromChapters() {
        let names = ["Name v03", "第3巻", "v01 c003", "Name #3", "Chapter 1", "Name 3"]
        #expect(names.map { FileNameGuess($0)?.isOfVolume } == [true, true, false, false, false, false])
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
