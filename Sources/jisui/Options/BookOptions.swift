internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Metadata
internal import PageModel

/// What is said of the book, in the place of what its source says.
struct BookOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The book's title.", valueName: "text"))
    var title: String?

    @Option(
        parsing: .singleValue, help: ArgumentHelp("An author; may be given several times.", valueName: "name"))
    var author: [String] = []

    @Option(help: ArgumentHelp("The series that the book is part of.", valueName: "text"))
    var series: String?

    @Option(help: ArgumentHelp("Its number in the series: 3, 12.5.", valueName: "number"))
    var number: String?

    @Option(help: ArgumentHelp("The volume of the series that the number counts in.", valueName: "number"))
    var volume: String?

    @Option(help: ArgumentHelp("Who published it.", valueName: "name"))
    var publisher: String?

    @Option(help: ArgumentHelp("When it was published: 2019, 2019-05 or 2019-05-31.", valueName: "date"))
    var date: String?

    @Option(help: ArgumentHelp("Its language as a tag: ja, en-GB.", valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "What is said of the book, in a file: JSON as 'jisui info --metadata' prints it, ComicInfo.xml, MetronInfo.xml, ACBF, OPF. The options above win over it.",
            valueName: "file"),
        completion: .file())
    var metadata: String?

    @Flag(help: "Say what the file's name suggests of series, volume, number and year, where the book does not.")
    var guess = false

    func validate() throws {
        if let date, BookDate(date) == nil {
            throw ValidationError("--date takes a date like 2019, 2019-05 or 2019-05-31, not '\(date)'")
        }
        if let language, LanguageTag.normalized(language) == nil {
            throw ValidationError("--language takes a tag like ja or en-GB, not '\(language)'")
        }
        let texts = [
            ("title", title), ("series", series), ("number", number), ("volume", volume), ("publisher", publisher),
        ]
        for (name, text) in texts + author.map({ ("author", $0) }) where text.map(XMLText.clean) == "" {
            throw ValidationError("--\(name) needs a text")
        }
    }

    /// The options given that can be true of one book only.
    var ofOneBook: [String] {
        [("title", title), ("number", number), ("metadata", metadata)].compactMap { $1 == nil ? nil : "--\($0)" }
    }

    /// - Throws: when the file of `--metadata` cannot be read or understood.
    func facts() throws(AdapterError) -> BookFacts {
        var facts = BookFacts()
        facts.file = try metadata.map { path throws(AdapterError) in try BookOptions.file(at: path) }
        // What is typed may be any bytes, as names of files are.
        facts.title = title.map(ReadableName.text)
        facts.authors = author.map(ReadableName.text)
        facts.series = series.map(ReadableName.text)
        facts.volume = volume.map(ReadableName.text)
        facts.number = number.map(ReadableName.text)
        facts.publisher = publisher.map(ReadableName.text)
        facts.date = date.flatMap { BookDate($0) }
        facts.language = language.flatMap(LanguageTag.normalized)
        return facts
    }

    private static func file(at path: String) throws(AdapterError) -> MetadataFile {
        do {
            let file = try ReadableFile(path: path)
            try BookDocument.checkSize(file.size)
            return try MetadataFile(try file.read(at: 0, exactly: file.size))
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }
}
