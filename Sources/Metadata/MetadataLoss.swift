package import AdapterKit
package import PageModel

/// The book metadata that an output cannot store.
package enum MetadataLoss {
    /// Returns the warnings about lost metadata; empty without losses.
    package static func warnings(of sequence: PageSequence, in output: SinkCapabilities) -> [Warning] {
        let book = sequence.book
        var warnings: [Warning] = []
        func warn(_ lost: [String], _ message: (Message) -> Message) {
            if lost.isEmpty { return }
            warnings.append(Warning(code: "metadata-dropped", message: message(MetadataLoss.list(lost))))
        }
        let lost = fields(of: book, books: Set(sequence.pages.map(\.book)), in: output)
        if !lost.isEmpty {
            warnings.append(
                Warning(
                    code: "metadata-dropped",
                    message: "the output cannot store all of the book's metadata; lost: \(list(lost))",
                    hint: output.hintForLostMetadata, isNote: true
                ).shared("the output cannot store all metadata"))
        }
        let known = known(of: book)
        if lost.isEmpty, output.metadata.isEmpty, !known.isEmpty {
            warnings.append(
                Warning(
                    code: "metadata-not-stored",
                    message: "the output cannot store the book's \(known.listed())",
                    hint: output.hintForLostMetadata, isNote: true
                ).shared("the output cannot store titles and other metadata"))
        }
        let isComic = output.metadata.contains(ComicInfo.format)
        let differing = isComic ? differing(book, books: Set(sequence.pages.map(\.book))) : []
        warn(output.metadata.isEmpty ? [] : (differing + book.conflictingFields).unique) {
            "the metadata of the books differs; left out: \($0)"
        }
        if isComic {
            // The one author in a PDF may be a list of several, which apps then split correctly.
            let names =
                book.credits.count == 1
                ? [] : ComicInfo.creditElements.flatMap { ComicInfo.names(in: book.credits, for: $0.name) }
            let parted = (names + book.genres + book.tags).unique.filter { $0.contains(",") }
            warn(parted.map { "'\($0)'" }) {
                "ComicInfo.xml separates names with commas, so that apps will split these names: \($0)"
            }
        }
        // A copy of the first document keeps its attachments; the code that copies reports other documents'
        // attachments.
        if output.documents.isEmpty, var loss = Warning.lostAttachments(book.attachments) {
            loss.isNote = output.neverCopiesDocuments
            warnings.append(loss)
        }
        if !output.features.contains(.pageRoles) { warnings += warningsOfPages(sequence.pages, in: output) }
        return warnings + warningsOfOutline(book.outline, in: output)
    }

    /// Returns a list that a person would still read.
    private static func list(_ names: [String]) -> Message {
        let all = names.prefix(50).map { Message(pattern: $0) }.joined(separator: ", ")
        return names.count > 50 ? "\(all), …" : all
    }

    private static func warningsOfOutline(_ outline: [OutlineItem], in output: SinkCapabilities) -> [Warning] {
        guard !outline.isEmpty else { return [] }
        func note(_ code: String, _ message: Message, _ hint: Message, _ shared: Message) -> [Warning] {
            [Warning(code: code, message: message, hint: hint, isNote: true).shared(shared)]
        }
        guard output.features.contains(.outline) else {
            let count: Message = outline.count == 1 ? "1 entry" : "\(outline.count) entries"
            return note(
                "outline-dropped", "the output cannot store the table of contents (\(count))",
                "use --to pdf or --to epub to keep it", "the output cannot store the table of contents")
        }
        guard output.metadata.contains(ComicInfo.format) else { return [] }
        let withoutTarget = outline.count { $0.page == nil }
        var losses: [Message] = []
        if outline.contains(where: { $0.level > 0 }) { losses.append("its levels") }
        if withoutTarget == 1 { losses.append("1 heading without a page") }
        if withoutTarget > 1 { losses.append("\(withoutTarget) headings without a page") }
        guard !losses.isEmpty else { return [] }
        return note(
            "outline-flattened",
            "the table of contents lost \(losses.listed()), because ComicInfo.xml stores only bookmarks",
            "use --to pdf or --to epub to keep them",
            "tables of contents lost levels or headings, because ComicInfo.xml stores only bookmarks")
    }

    /// Returns the fields of a book that an output without metadata cannot store, in words.
    private static func known(of book: BookMetadata) -> [Message] {
        MetadataField.all.filter { field in
            switch field.key {
            case "title": book.title != nil && !book.isNamedByInput
            case "direction": false
            default: field.isStated(in: book)
            }
        }.map(\.label)
    }

    /// Returns the fields of a book that the output cannot store. The names are those of the documents.
    ///
    /// - Parameter books: the books of the pages, as `Page.book`.
    package static func fields(of book: BookMetadata, books: Set<Int> = [0], in output: SinkCapabilities) -> [String] {
        var names = factsLost(of: book, books, in: output)
        let carriesMetron =
            (output.metadata.contains(MetronInfo.format) || output.carriedDocuments.contains(MetronInfo.format))
            && MetronInfo.carried(by: book, books: books, pageCount: 0) != nil
        let carriesInfo = output.carriedDocuments.contains(ComicInfo.format) && CarriedDocuments.areStored(books)
        if output.metadata.contains(ComicInfo.format), book.isbn != nil, !carriesMetron,
            ComicInfo.keepsOtherNumber(book)
        {
            names.append("ISBN")
        }
        for document in book.documents {
            switch document.format {
            case ComicInfo.format where !output.metadata.contains(ComicInfo.format) && !carriesInfo:
                guard let info = try? ComicInfo(document.bytes) else { continue }
                let stated = statedFields(by: output)
                let all = elements(of: info)
                let omitted = all.filter { !stated.contains($0) }
                // If any element is reported, the list is complete.
                let isListed = output.metadata.isEmpty && !omitted.isEmpty
                names += lost(
                    isListed ? all.filter { !ofPages.contains($0) } : omitted, of: info.metadata, but: book, in: output)
            case MetronInfo.format where !carriesMetron:
                guard let info = try? MetronInfo(document.bytes) else { continue }
                names += lost(info.otherElements, of: info.metadata, but: book, in: output)
            case ACBF.format:
                guard let comic = try? ACBF(document.bytes) else { continue }
                names += lost(comic.otherElements, of: comic.metadata, but: book, in: output)
            default: break
            }
        }
        return names.unique
    }

    /// Returns the elements of a document whose values the output loses. A summary or subject is kept if the book has
    /// it from this document.
    private static func lost(
        _ elements: [String], of stated: BookMetadata, but book: BookMetadata, in output: SinkCapabilities
    ) -> [String] {
        let storesMetadata = !output.metadata.isEmpty
        let statesSummary = storesMetadata && stated.summary == book.summary
        let statesSubjects = storesMetadata && Set(stated.subjects).isSubset(of: book.subjects)
        // A changed ISBN was requested, or it is reported for books that differ.
        let statesISBN = storesMetadata && stated.isbn != nil
        return elements.filter { name in
            switch name {
            case "Summary", "annotation": !statesSummary
            case "Genres", "Tags", "genre", "keywords": !statesSubjects
            case "GTIN", "ISBN", "isbn": !statesISBN
            case "Volume":
                book.number != nil || book.series == nil || !output.metadata.contains(OPFMetadata.format)
                    || OPFMetadata.position(of: book) != book.volume
            case "license": !storesMetadata || stated.rights != book.rights
            default: true
            }
        }
    }

    /// The elements that every comic written by jisui contains. A folder of images does not have them: a note reports
    /// that, instead of a warning.
    private static let common: Set = [
        "Title", "PageCount", "Pages", "LanguageISO", "Manga", "Series", "Number", "Writer",
    ]

    /// The elements of a ComicInfo about its pages, which are present.
    private static let ofPages: Set = ["PageCount", "Pages", "Manga"]

    /// Returns the elements of a ComicInfo that an output expresses in its own way.
    private static func statedFields(by output: SinkCapabilities) -> Set<String> {
        let storesAll = output.metadata.contains(MetadataJSON.format)
        if !storesAll, output.metadata.isDisjoint(with: [OPFMetadata.format, XMPMetadata.format]) { return common }
        return common.union(["Publisher", "Year", "Month", "Day", "Summary", "Genre", "Tags"])
            .union(storesAll ? ["Volume"] : []).union(ComicInfo.creditElements.map(\.name))
    }

    /// Returns the fields that an output with metadata cannot store, by their names in ComicInfo.
    private static func factsLost(
        of book: BookMetadata, _ books: Set<Int>, in output: SinkCapabilities
    ) -> [String] {
        var names: [String] = []
        if output.metadata.contains(ComicInfo.format) {
            if book.rights != nil { names.append("rights") }
            if let volume = book.volume, Int32(volume) == nil { names.append("Volume") }
            for role in [CreatorRole.adapter, .photographer, .other]
            where book.credits.contains(where: { $0.role == role }) {
                names.append(role == .other ? "people with other roles" : "the \(role.rawValue)")
            }
        } else if output.metadata.contains(OPFMetadata.format) || output.metadata.contains(XMPMetadata.format) {
            if carriesNumbers(of: book, books, in: output) { return names + book.unsupportedFields }
            let isOPF = output.metadata.contains(OPFMetadata.format)
            if let volume = book.volume {
                let isPosition = isOPF && book.series != nil && OPFMetadata.position(of: book) == volume
                if book.number != nil || !isPosition { names.append("Volume") }
            }
            if let number = book.number {
                let isPosition = !isOPF || OPFMetadata.isPosition(number)
                if book.series == nil || !isPosition { names.append("Number") }
            }
        } else {
            return output.metadata.isEmpty ? [] : omittedFields(of: book, in: output) + book.unsupportedFields
        }
        // A PDF accepts any text for it.
        // A ComicInfo of the book is carried over with its values.
        let takesAny =
            output.metadata.contains(XMPMetadata.format)
            || output.metadata.contains(ComicInfo.format) && !ComicInfo.documents(of: book).isEmpty
        if !takesAny, let language = book.language,
            LanguageTag.normalized(language) == nil
        {
            names.append("LanguageISO")
        }
        return names + book.unsupportedFields
    }

    /// Returns the stated fields of a book that are not among the few that the output stores.
    private static func omittedFields(of book: BookMetadata, in output: SinkCapabilities) -> [String] {
        guard let stored = output.storedFields else { return [] }
        return MetadataField.all.filter { $0.isStated(in: book) && !stored.contains($0.key) }.compactMap { field in
            if field.key == "creators", stored.contains("authors") {
                return book.credits.allSatisfy(\.role.isAuthor) ? nil : "people with other roles"
            }
            return field.option.map { $0.name.prefix(1).uppercased() + $0.name.dropFirst() } ?? field.warningName
        }
    }

    /// Whether a ComicInfo.xml with volume, number and language is carried over.
    private static func carriesNumbers(
        of book: BookMetadata, _ books: Set<Int>, in output: SinkCapabilities
    ) -> Bool {
        output.carriedDocuments.contains(ComicInfo.format) && CarriedDocuments.areStored(books)
            && book.documents.contains { CarriedDocuments.formats.contains($0.format) }
            && book.volume.map { Int32($0) != nil } ?? true
    }

    private static func elements(of info: ComicInfo) -> [String] {
        // -1 means that a number is unknown.
        info.root.elements.filter { ![nil, "-1"].contains($0.text.meaningful) }.map(\.name.qualified)
    }

    /// Returns the elements that differ between the documents of all books; empty if a book has no document.
    private static func differing(_ book: BookMetadata, books: Set<Int>) -> [String] {
        let own = ComicInfo.documents(of: book).filter { $0.source.book != nil }
        guard books.count > 1 else { return [] }
        let isOfAll = books.isSubset(of: own.compactMap(\.source.book))
        let kept = isOfAll ? Set(ComicInfo.common(to: own.map(\.info))?.root.elements ?? []) : []
        let names = own.flatMap(\.info.root.elements).filter { !kept.contains($0) && $0.text.meaningful != nil }
            .map(\.name.qualified).filter { !common.contains($0) }.unique
        // The same number may be written in several ways.
        return names.filter { $0 != "GTIN" || book.isbn == nil }
    }

    private static func warningsOfPages(_ pages: [Page], in output: SinkCapabilities) -> [Warning] {
        var warnings: [Warning] = []
        let deleted = pages.filter { $0.roles.contains(.deleted) }
        if let first = deleted.first {
            warnings.append(
                Warning(
                    code: "deleted-pages",
                    message: deleted.count == 1
                        ? "\(page: first.name) is marked as deleted; the output cannot store that, and reading apps "
                            + "will show it"
                        : "\(deleted.count) pages (\(page: first.name), …) are marked as deleted; the output cannot "
                            + "store that, and reading apps will show them", hint: "use --pages to leave pages out"))
        }
        let roles = PageRole.allCases.filter { role in
            ![.story, .deleted, .frontCover].contains(role) && pages.contains { $0.roles.contains(role) }
        }
        if !output.metadata.isEmpty, !roles.isEmpty {
            warnings.append(
                Warning(
                    code: "metadata-dropped",
                    message: "the output cannot store page types; lost: "
                        + "\(roles.map { Message(pattern: $0.rawValue) }.joined(separator: ", "))", isNote: true
                ).shared("the output cannot store page types"))
        }
        return warnings
    }
}
