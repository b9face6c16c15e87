import PageModel
import Testing

@Suite struct BookDateTests {
    @Test(arguments: [
        ("2019", "2019"), ("2019-05", "2019-05"), ("2019-05-31", "2019-05-31"), ("0987", "0987"),
        ("2020-02-29T12:00:00Z", "2020-02-29"), ("2000-02-29", "2000-02-29"),
    ])
    func datesAreReadAsFarAsTheyAreKnown(_ text: String, _ date: String) {
        #expect(BookDate(text)?.description == date)
    }

    @Test(arguments: [
        "", "19", "2019-5", "2019-13", "2019-00", "2019-04-31", "2019-02-29", "1900-02-29", "0000", "2019-05-31 noon",
        "31.5.2019", "20190531", "٢٠١٩",
    ])
    func invalidDatesAreRejected(_ text: String) {
        #expect(BookDate(text) == nil)
    }

    @Test func aDayNeedsAMonth() {
        #expect(BookDate(year: 2019, day: 1) == nil)
        #expect(BookDate(year: 2019, month: 12, day: 31)?.description == "2019-12-31")
    }
}
