import PageModel
import Testing

@Suite struct ISBNTests {
    /// As they stand in books, catalogs and files.
    @Test(arguments: [
        ("978-0-306-40615-7", "9780306406157"), ("0-306-40615-2", "9780306406157"), ("080442957X", "9780804429573"),
        ("0 8044 2957 x", "9780804429573"), ("urn:isbn:9780804429573", "9780804429573"),
        ("ISBN: 978–0–306–40615–7", "9780306406157"), ("ISBN-13: 9780306406157", "9780306406157"),
        ("isbn-10 0306406152", "9780306406157"), ("ISBN13 9780306406157", "9780306406157"),
        ("e-ISBN 978-0-306-40615-7", "9780306406157"), (" 9780306406157 (pbk. : alk. paper) ", "9780306406157"),
        ("1-306-40615-3", "9781306406154"), ("ISBN 10: 1-306-40615-3", "9781306406154"),
        ("979-10-90636-07-1", "9791090636071"),
    ])
    func numbersAreReadAsTheyArePrinted(_ text: String, _ digits: String) {
        #expect(ISBN(text)?.description == digits && ISBN(text)?.urn == "urn:isbn:\(digits)")
    }

    /// Wrong check digits, other bar codes, other lengths, other digits.
    @Test(arguments: [
        "", "978-0-306-40615-8", "0-306-40615-3", "4901234567894", "76194134274130111", "X804429570", "X",
        "978030640615X",
        "97803064061577", "９７８０３０６４０６１５７", "urn:uuid:9780306406157", "0000", "978030640615",
    ])
    func invalidNumbersAreRejected(_ text: String) {
        #expect(ISBN(text) == nil)
    }

    /// Texts of any length.
    @Test(arguments: ["(", " ", "-", "9", "isbn "]) func longTextsAreRejected(_ part: String) {
        #expect(ISBN(String(repeating: part, count: 1 << 20)) == nil)
    }
}
