internal import AdapterKit
internal import Metadata
internal import PageModel
internal import ZipFile

/// The book in an image-only EPUB.
struct EPUBBook {
    let opened: OpenedBook

    /// - Throws: `.unsupported` for a book of flowing text; `.empty`, `.damaged`, `.tooLarge`, `.encrypted`.
    init(_ container: EPUBContainer, limits: Limits) throws(AdapterError) {
        let path = try container.packagePath()
        let package = try EPUBPackage(try container.document(path), path: path, in: container)
        var read = try EPUBPages(package, in: container, limits)
        read.addLinks()
        var (pages, warnings) = (read.pages, read.warnings)
        try ExpansionLimit.check(read.byteCount, archiveBytes: container.zip.byteCount)
        var book = package.book
        if let navigation = package.navigation {
            do throws(AdapterError) {
                let reader = NavigationReader(
                    try container.document(navigation), path: navigation, in: container, pages: read.ids,
                    title: book.title)
                book.outline = reader.outline
                reader.label(&pages)
            } catch {
                warnings.append(
                    Warning(
                        code: "bad-metadata", message: "\(error.message): the table of contents is lost",
                        hint: "correct that file to keep it"))
            }
        }
        book = CarriedDocuments.merged(
            book, statement: container.statement, files: container.documents, for: &pages, warnings: &warnings)
        opened = OpenedBook(
            sequence: PageSequence(book: book, pages: pages), warnings: container.warnings + warnings,
            skipped: read.skipped)
    }
}
