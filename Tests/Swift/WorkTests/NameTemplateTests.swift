import AdapterKit
import PageModel
import Testing

@testable import Work

@Suite struct NameTemplateTests {
    private static let book = BookMetadata(
        title: "A: The \"Title\"/2", authors: ["One", "Two"], series: "Series", number: "7.5",
        date: BookDate(year: 2019, month: 5))

    private func name(
        _ template: String, _ path: String = "/books/x/in.pdf", _ book: BookMetadata? = book
    ) throws -> NameTemplate.Outcome {
        try NameTemplate(template).name(for: Input(path: path), stem: "in", pathExtension: "cbz", book)
    }

    @Test(arguments: [
        ("{series} {number}.{ext}", "Series 7.5"), ("{series} {number:3}", "Series 007.5"),
        ("{title}.{ext}", "A- The -Title--2"), ("{author}, {year} ({date})", "One, 2019 (2019-05)"),
        ("{name}.{ext}", "in"), ("{file}.{ext}", "in.pdf"), ("{ext} of {name}", "cbz of in"),
        // A part in brackets needs all of its fields.
        ("{series} ({volume}) [{number} of {publisher}] {year}.{ext}", "Series 2019"),
        ("{series} (digital) [x]", "Series (digital) [x]"), ("{series} (v{volume} ({year}))", "Series )"),
        ("{name} ( {series}", "in ( Series"), ("...{series}. .", "Series"), (".", "in"), ("  ", "in"),
        ("plain", "plain"), ("{name}}", "in}"),
    ])
    func templatesNameBooks(_ template: String, _ expected: String) throws {
        #expect(try name(template) == .name(expected))
    }

    @Test func folderIsThatOfTheInput() throws {
        #expect(try name("{folder}", "/usr/bin/x.pdf") == .name("bin"))
    }

    @Test func missingFieldsAreNamedOnce() throws {
        #expect(try name("{volume} {series} {publisher} {volume}") == .missing(["volume", "publisher"]))
        // Nothing would be left of such a name.
        #expect(try name("{series}", "a.pdf", BookMetadata(series: "  ")) == .name("in"))
        #expect(try name("{folder}", "/no/such/folder/a.pdf") == .missing(["folder"]))
    }

    /// A name of 255 bytes would leave no room for that of a temporary file.
    @Test(arguments: ["x", "第", "e\u{301}", "👩‍👩‍👧"]) func longNamesAreCutBetweenCharacters(_ letter: String) throws {
        let book = BookMetadata(series: String(repeating: letter, count: 400))
        guard case .name(let name) = try name("{series}", "a.pdf", book) else {
            Issue.record("There is no name.")
            return
        }
        #expect((170...200).contains(name.utf8.count))
        #expect(name.allSatisfy { String($0) == letter })
    }

    @Test(arguments: [".", "..", "../x", "a/b", "\u{0}", "\n", "C:\\", "-"]) func namesStayInTheFolder(_ value: String)
        throws
    {
        guard case .name(let name) = try name("{series}", "a.pdf", BookMetadata(series: value)) else { return }
        #expect(!name.contains("/") && !name.hasPrefix(".") && !name.isEmpty)
        #expect(name.unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test(arguments: [
        ("", "--name needs a template: --name '{series} {number}.{ext}'"),
        ("{series}/{number}", "--name takes the name of a file, without '/', not '{series}/{number}'"),
        ("{series", "--name has a '{' without a '}'"), ("({series)", "--name has a '{' without a '}'"),
        ("{number:0}", "--name takes a number of digits from 1 to 9, as in {number:3}, not '0'"),
    ])
    func faultyTemplatesAreRejected(_ template: String, _ message: String) {
        let error = #expect(throws: AdapterError.self) { try NameTemplate(template) }
        #expect(error?.code == .usage && error?.message.english == message)
    }

    @Test func unknownFieldsListTheKnownOnes() throws {
        let error = #expect(throws: AdapterError.self) { try NameTemplate("{seris}") }
        #expect(
            error?.message.english.hasPrefix("--name has an unknown field '{seris}'; it takes {name} {file} ") == true)
        let help = Setting.nameTemplate.help + (Setting.nameTemplate.details ?? "")
        for field in NameTemplate.fieldNames.split(separator: " ") {
            #expect(help.contains(field) || help.contains("\(field.dropLast()):"), "\(field)")
        }
    }
}
