internal import ArgumentParser
internal import Conversion
internal import Files
internal import Metadata
internal import PageModel

/// The metadata options, which override the source.
struct BookOptions: ParsableArguments {
    @Option(help: .option("title"))
    var title: String?

    @Option(parsing: .singleValue, help: .option("author"))
    var author: [String] = []

    @Option(help: .option("series"))
    var series: String?

    @Option(help: .option("number"))
    var number: String?

    @Option(help: .option("volume"))
    var volume: String?

    @Option(help: .option("publisher"))
    var publisher: String?

    @Option(help: .option("date"))
    var date: String?

    @Option(help: .option("language"))
    var language: String?

    @Option(help: .option("metadata"), completion: .file())
    var metadata: String?

    @Flag(help: .option("guess"))
    var guess = false

    func validate() throws {
        if let date, BookDate(date) == nil {
            throw ValidationError(message: "--date takes a date like 2019, 2019-05 or 2019-05-31, not '\(date)'")
        }
        if let language, LanguageTag.normalized(language) == nil {
            throw ValidationError(message: "--language takes a tag like ja or en-GB, not '\(language)'")
        }
        let texts = [
            ("title", title), ("series", series), ("number", number), ("volume", volume), ("publisher", publisher),
        ]
        for (name, text) in texts + author.map({ ("author", $0) }) where text.map(XMLText.clean) == "" {
            throw ValidationError(message: "--\(name) needs a text")
        }
    }

    /// The given options that can apply to one book only.
    var singleBookOptions: [String] {
        [("title", title), ("number", number), ("metadata", metadata)].compactMap { $1 == nil ? nil : "--\($0)" }
    }

    /// - Throws: an error if the file of `--metadata` cannot be read or understood.
    func metadataOptions() throws(AdapterError) -> MetadataOptions {
        var options = MetadataOptions()
        options.file = try metadata.map { path throws(AdapterError) in try BookOptions.file(at: path) }
        // Typed text may contain any bytes, as names of files do.
        options.book = BookMetadata(
            title: title.map(ReadableName.text), authors: author.map(ReadableName.text),
            series: series.map(ReadableName.text), volume: volume.map(ReadableName.text),
            number: number.map(ReadableName.text), publisher: publisher.map(ReadableName.text),
            date: date.flatMap { BookDate($0) }, language: language.flatMap(LanguageTag.normalized))
        return options
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
