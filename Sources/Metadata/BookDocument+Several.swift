internal import AdapterKit
internal import Files
internal import PageModel

extension BookDocument {
    /// Returns the metadata that several documents of one kind have in common, such as those of the chapters of a book.
    ///
    /// Values that differ are those of the chapters. The page types are lost, because each document counts its own pages.
    static func common(_ files: [File], warnings: inout [Warning]) -> BookMetadata {
        var books: [BookMetadata] = []
        for file in files {
            do throws(AdapterError) {
                let bytes = try XMLRepair.readable(try file.read()).bytes
                switch file.kind {
                case .comicInfo:
                    let info = try ComicInfo(bytes)
                    var pages: [Page] = []
                    books.append(info.metadata(for: &pages, at: []))
                case .metronInfo: books.append(try MetronInfo(bytes).metadata)
                case .coMet: books.append(try CoMet(bytes).metadata)
                case .acbf, .comicBookInfo, nil: break
                }
            } catch {
                warnings.append(unreadable(file.path, error))
            }
        }
        guard var book = books.first else { return BookMetadata() }
        let lost = book.keepCommon(with: books.dropFirst())
        // A document would state the values of one chapter for all of them.
        if Set(books.map(\.documents)).count > 1 { book.documents = [] }
        if !lost.isEmpty {
            let name = FileName.last(of: files[0].path)
            warnings.append(
                Warning(
                    code: "metadata-differs",
                    message: "\(books.count) files \(name) differ in \(lost.commaSeparated): left these values out",
                    hint: "use options such as --series and --number to state them"))
        }
        return book
    }

    static func unreadable(_ path: String, _ error: AdapterError) -> Warning {
        Warning(
            code: "bad-metadata", subject: path, message: "\(error.message): its metadata is lost",
            hint: "correct that file to keep it")
    }
}

extension BookMetadata {
    /// Keeps the values that all books have, and everyone who contributed to one of them.
    ///
    /// - Returns: the names of the fields that differ.
    fileprivate mutating func keepCommon(with others: some Sequence<BookMetadata>) -> [String] {
        var lost: [String] = []
        for other in others {
            for field in MetadataField.all where !field.isEqual(in: self, and: other) {
                switch field.kind {
                case .credits(let path): self[keyPath: path] = (self[keyPath: path] + other[keyPath: path]).unique
                default:
                    field.copy(from: BookMetadata(), to: &self)
                    lost.append(field.warningName)
                }
            }
        }
        return lost.unique
    }
}
