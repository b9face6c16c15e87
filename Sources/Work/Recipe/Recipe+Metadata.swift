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
    public var singleBookSetting: Setting? {
        let fields = MetadataField.all.filter { $0.joining == .first }
        return (fields.compactMap(Setting.init(field:)) + [.metadata]).first { self[$0] != nil }
    }

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
        for field in MetadataField.all { take(field, to: &options.book) }
        return options
    }

    /// Gives a book the value of a field that the recipe contains.
    private func take(_ field: MetadataField, to book: inout BookMetadata) {
        guard let setting = Setting(field: field), let last = self[setting] else { return }
        switch field.kind {
        // Typed text may contain any bytes, as names of files do.
        case .text(let path), .statement(let path), .paragraphs(let path):
            book[keyPath: path] = ReadableName.text(of: last)
        case .credits: book.replaceAuthors(with: list(setting).map(ReadableName.text))
        case .date(let path): book[keyPath: path] = BookDate(last)
        case .language(let path): book[keyPath: path] = LanguageTag.normalized(last)
        // No option gives these.
        case .words, .isbn, .direction: break
        }
    }

    private static func metadataFile(at path: String) throws(AdapterError) -> MetadataFile {
        do {
            let file = try ReadableFile(path: path)
            try BookDocument.checkSize(file.size)
            return try MetadataFile(try file.read(at: 0, exactly: file.size))
        } catch {
            throw error.at(file: path)
        }
    }
}
