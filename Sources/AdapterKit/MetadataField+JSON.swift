public import OrderedJSON
public import PageModel

extension MetadataField {
    /// Returns the value in a book as JSON: null for a missing text, an empty array for missing words.
    public func json(in book: BookMetadata) -> JSON {
        switch kind {
        case .text(let path), .statement(let path), .paragraphs(let path), .language(let path):
            JSON(book[keyPath: path])
        case .words(let path): JSON(book[keyPath: path].map(JSON.string))
        case .date(let path): JSON(book[keyPath: path]?.description)
        case .isbn(let path): JSON(book[keyPath: path]?.description)
        case .direction(let path): JSON(book[keyPath: path]?.rawValue)
        case .credits(let path):
            JSON(book[keyPath: path].map { ["name": .string($0.name), "role": .string($0.role.rawValue)] })
        }
    }
}
