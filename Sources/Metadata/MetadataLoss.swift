public import AdapterKit
public import PageModel

/// What an output cannot say of the book that is known of it.
public enum MetadataLoss {
    /// The warnings that tell of what is lost; none when nothing is.
    public static func warnings(of sequence: PageSequence, in output: SinkCapabilities) -> [Warning] {
        let book = sequence.book
        var warnings: [Warning] = []
        func warn(_ lost: [String], _ message: String, _ advice: String? = nil) {
            guard !lost.isEmpty else { return }
            let list = lost.prefix(50).joined(separator: ", ") + (lost.count > 50 ? ", …" : "")
            warnings.append(Warning(code: "metadata-dropped", message: message + list, advice: advice))
        }
        let lost = fields(of: book, books: Set(sequence.pages.map(\.book)), in: output)
        warn(
            lost, "the output has no place for all that is known of the book: lost are ", output.insteadOfLosingFacts)
        let known = known(of: book)
        if lost.isEmpty, output.metadata.isEmpty, !known.isEmpty {
            warnings.append(
                Warning(
                    code: "facts-left-out",
                    message: "left out the book's \(known.listed()), since the output has no place for "
                        + (known.count == 1 ? "it" : "them"), advice: output.insteadOfLosingFacts, isNote: true))
        }
        let isComic = output.metadata.contains(ComicInfo.format)
        let differing = isComic ? differing(book, books: Set(sequence.pages.map(\.book))) : []
        warn(
            output.metadata.isEmpty ? [] : (differing + book.notShared).unique,
            "the books differ, and only what they have in common is kept: lost are ")
        if isComic {
            // The one author that a PDF names may well be a list of several, which is then read as it was meant.
            let names =
                book.credits.count == 1
                ? [] : ComicInfo.creditElements.flatMap { ComicInfo.names(in: book.credits, for: $0.name) }
            let parted = (names + book.genres + book.tags).unique.filter { $0.contains(",") }
            warn(
                parted.map { "'\($0)'" },
                "ComicInfo.xml separates names by commas, so that readers will take each of these for several: ")
        }
        // A copy of the first document keeps what is attached to it; those who copy tell of the others.
        if output.documents.isEmpty, let loss = Warning.lostAttachments(book.attachments) { warnings.append(loss) }
        if !output.features.contains(.pageRoles) { warnings += warningsOfPages(sequence.pages, in: output) }
        return warnings + warningsOfOutline(book.outline, in: output)
    }

    private static func warningsOfOutline(_ outline: [OutlineItem], in output: SinkCapabilities) -> [Warning] {
        guard !outline.isEmpty else { return [] }
        func note(_ code: String, _ message: String, _ advice: String) -> [Warning] {
            [Warning(code: code, message: message, advice: advice, isNote: true)]
        }
        guard output.features.contains(.outline) else {
            let count = outline.count == 1 ? "1 entry" : "\(outline.count) entries"
            return note(
                "outline-dropped", "left out the table of contents (\(count)), since the output has no place for it",
                "--to cbz or --to pdf keeps it")
        }
        guard output.metadata.contains(ComicInfo.format) else { return [] }
        let leadNowhere = outline.count { $0.page == nil }
        let losses =
            (outline.contains { $0.level > 0 } ? ["its levels"] : [])
            + (leadNowhere > 0 ? ["\(leadNowhere) heading\(leadNowhere == 1 ? "" : "s") without a page"] : [])
        guard !losses.isEmpty else { return [] }
        return note(
            "outline-flattened",
            "the table of contents lost \(losses.listed()), since ComicInfo.xml has bookmarks only",
            "--to pdf or --to epub keeps them")
    }

    /// The facts of a book that a document without metadata cannot say, in words.
    private static func known(of book: BookMetadata) -> [String] {
        let facts: [(String, Bool)] = [
            ("title", book.title != nil && !book.isNamedByInput), ("authors", !book.credits.isEmpty),
            ("series", book.series != nil), ("volume", book.volume != nil), ("number", book.number != nil),
            ("publisher", book.publisher != nil), ("date", book.date != nil),
            ("summary", book.summary != nil), ("genres", !book.genres.isEmpty),
            ("tags", !book.tags.isEmpty), ("ISBN", book.isbn != nil), ("rights", book.rights != nil),
            ("language", book.language != nil),
        ]
        return facts.filter(\.1).map(\.0)
    }

    /// The names, in the words of their documents, of what is known of a book and cannot be said.
    ///
    /// - Parameter books: the books that the pages are of, as `Page.book`.
    public static func fields(of book: BookMetadata, books: Set<Int> = [0], in output: SinkCapabilities) -> [String] {
        var names = factsLost(of: book, books, in: output)
        let carriesMetron =
            (output.metadata.contains(MetronInfo.format) || output.carriedDocuments.contains(MetronInfo.format))
            && MetronInfo.carried(by: book, books: books, pageCount: 0) != nil
        let carriesInfo = output.carriedDocuments.contains(ComicInfo.format) && CarriedDocuments.goAlong(books)
        if output.metadata.contains(ComicInfo.format), book.isbn != nil, !carriesMetron,
            ComicInfo.keepsOtherNumber(book)
        {
            names.append("ISBN")
        }
        for document in book.documents {
            switch document.format {
            case ComicInfo.format where !output.metadata.contains(ComicInfo.format) && !carriesInfo:
                guard let info = try? ComicInfo(document.bytes) else { continue }
                let said = said(by: output)
                let all = elements(of: info)
                let unsaid = all.filter { !said.contains($0) }
                // Where anything is worth a word, the list is whole.
                let isListed = output.metadata.isEmpty && !unsaid.isEmpty
                names += lost(
                    isListed ? all.filter { !ofPages.contains($0) } : unsaid, of: info.metadata, but: book, in: output)
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

    /// Of the elements of a document those that are not said elsewhere: what it is about is, where the book has it from here.
    private static func lost(
        _ elements: [String], of said: BookMetadata, but book: BookMetadata, in output: SinkCapabilities
    ) -> [String] {
        let tells = !output.metadata.isEmpty
        let saysSummary = tells && said.summary == book.summary
        let saysSubjects = tells && Set(said.subjects).isSubset(of: book.subjects)
        // Where it is another now, that was wanted, or is told of the books that differ.
        let saysISBN = tells && said.isbn != nil
        return elements.filter { name in
            switch name {
            case "Summary", "annotation": !saysSummary
            case "Genres", "Tags", "genre", "keywords": !saysSubjects
            case "GTIN", "ISBN", "isbn": !saysISBN
            case "Volume":
                book.number != nil || book.series == nil || !output.metadata.contains(OPFMetadata.format)
                    || OPFMetadata.position(of: book) != book.volume
            case "license": !tells || said.rights != book.rights
            default: true
            }
        }
    }

    /// What of two books is true of one of them only, by ComicInfo's names: what is lost when they are combined.
    public static func notShared(_ one: BookMetadata, _ other: BookMetadata) -> [String] {
        var names: [String] = []
        func compare<Value: Equatable>(_ name: String, _ value: KeyPath<BookMetadata, Value>) {
            if one[keyPath: value] != other[keyPath: value] { names.append(name) }
        }
        // The first book gives the name of all.
        if let series = other.series, series != one.series { names.append("Series") }
        compare("Volume", \.volume)
        compare("Publisher", \.publisher)
        compare("Year", \.date)
        compare("Summary", \.summary)
        compare("Genre", \.genres)
        compare("Tags", \.tags)
        compare("GTIN", \.isbn)
        compare("rights", \.rights)
        if let language = other.language, language != one.language { names.append("LanguageISO") }
        return names
    }

    /// What every comic that jisui writes says. A folder of pictures does not: a note tells of it, instead of a warning.
    private static let common: Set = [
        "Title", "PageCount", "Pages", "LanguageISO", "Manga", "Series", "Number", "Writer",
    ]

    /// What a ComicInfo says of its pages, which are there.
    private static let ofPages: Set = ["PageCount", "Pages", "Manga"]

    /// The elements of a ComicInfo that an output says in its own way.
    private static func said(by output: SinkCapabilities) -> Set<String> {
        let tellsAll = output.metadata.contains(MetadataJSON.format)
        if !tellsAll, output.metadata.isDisjoint(with: [OPFMetadata.format, XMPMetadata.format]) { return common }
        return common.union(["Publisher", "Year", "Month", "Day", "Summary", "Genre", "Tags"])
            .union(tellsAll ? ["Volume"] : []).union(ComicInfo.creditElements.map(\.name))
    }

    /// The facts that an output which tells of its book has no place for, by the names that ComicInfo has for them.
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
            if carriesNumbers(of: book, books, in: output) { return names + book.otherFacts }
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
            return output.metadata.isEmpty ? [] : book.otherFacts
        }
        // A PDF takes any text for it.
        // A ComicInfo of the book's own goes through with what it says.
        let takesAny =
            output.metadata.contains(XMPMetadata.format)
            || output.metadata.contains(ComicInfo.format) && !ComicInfo.documents(of: book).isEmpty
        if !takesAny, let language = book.language,
            LanguageTag.normalized(language) == nil
        {
            names.append("LanguageISO")
        }
        return names + book.otherFacts
    }

    /// Whether a ComicInfo.xml goes along with volume, number and language.
    private static func carriesNumbers(
        of book: BookMetadata, _ books: Set<Int>, in output: SinkCapabilities
    ) -> Bool {
        output.carriedDocuments.contains(ComicInfo.format) && CarriedDocuments.goAlong(books)
            && book.documents.contains { CarriedDocuments.formats.contains($0.format) }
            && book.volume.map { Int32($0) != nil } ?? true
    }

    private static func elements(of info: ComicInfo) -> [String] {
        // -1 says that a number is not known.
        info.root.elements.filter { ![nil, "-1"].contains($0.text.meaningful) }.map(\.name.qualified)
    }

    /// The elements that are not the same in the documents of all books; none are where a book has no document.
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
            let names = deleted.count == 1 ? first.name : "\(deleted.count) pages (\(first.name), …)"
            warnings.append(
                Warning(
                    code: "deleted-pages",
                    message: "\(names): marked as deleted, which the output cannot say, so that readers will show "
                        + (deleted.count == 1 ? "it" : "them"), advice: "--pages leaves pages out"))
        }
        let roles = PageRole.allCases.filter { role in
            ![.story, .deleted, .frontCover].contains(role) && pages.contains { $0.roles.contains(role) }
        }
        if !output.metadata.isEmpty, !roles.isEmpty {
            warnings.append(
                Warning(
                    code: "metadata-dropped",
                    message: "the output has no place for what pages are for: lost are "
                        + roles.map(\.rawValue).joined(separator: ", ")))
        }
        return warnings
    }
}
