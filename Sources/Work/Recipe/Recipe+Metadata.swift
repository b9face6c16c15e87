public import AdapterKit
internal import Conversion
internal import Files
internal import Metadata
internal import PageModel

/// The values of a recipe as a conversion takes them.
extension Recipe {
    /// The request for the encoding of images.
    var encoding: EncodingRequest {
        EncodingRequest(format: self[.imageFormat].flatMap(ImageEncoding.init(option:)), quality: integer(.quality))
    }

    /// The first setting that can apply to one book only; nil if none is given.
    var singleBookSetting: Setting? { [Setting.title, .number, .metadata].first { self[$0] != nil } }

    /// The limits of a book.
    public var limits: Limits {
        var limits = Limits()
        if let millions = integer(.maxPixels) { limits.pixels = millions * 1_000_000 }
        if let megabytes = integer(.maxMemory) { limits.memory = megabytes * 1_000_000 }
        return limits
    }

    /// - Throws: an error if the metadata file cannot be read or understood.
    func metadataOptions() throws(AdapterError) -> MetadataOptions {
        var options = MetadataOptions()
        options.file = try self[.metadata].map { path throws(AdapterError) in try Recipe.metadataFile(at: path) }
        // Typed text may contain any bytes, as names of files do.
        func text(_ setting: Setting) -> String? { self[setting].map(ReadableName.text) }
        options.book = BookMetadata(
            title: text(.title), authors: list(.author).map(ReadableName.text), series: text(.series),
            volume: text(.volume), number: text(.number), publisher: text(.publisher),
            date: self[.date].flatMap { BookDate($0) }, language: self[.language].flatMap(LanguageTag.normalized))
        return options
    }

    private static func metadataFile(at path: String) throws(AdapterError) -> MetadataFile {
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
