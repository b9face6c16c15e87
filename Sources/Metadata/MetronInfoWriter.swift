internal import PageModel

/// A writer that updates the MetronInfo.xml of a book with the user's changes.
struct MetronInfoWriter {
    private let book: BookMetadata
    /// The metadata in the sources' documents.
    private let known: BookMetadata

    init(_ book: BookMetadata, _ metron: MetronInfo) {
        self.book = book
        var known = ComicInfo.documents(of: book).first { $0.source.book != nil }?.info.metadata ?? BookMetadata()
        known.fill(from: metron.metadata)
        self.known = known
    }

    func update(_ root: inout XMLElement) {
        func changed<Fact: Equatable>(_ fact: KeyPath<BookMetadata, Fact>) -> Bool {
            book[keyPath: fact] != known[keyPath: fact]
        }
        if changed(\.publisher) { root.change("Publisher") { $0.setText("Name", book.publisher) } }
        if changed(\.series) { root.change("Series") { $0.setText("Name", book.series) } }
        if changed(\.language), root.child("Series") != nil || book.series != nil {
            root.change("Series") { $0["lang"] = book.language.flatMap(LanguageTag.normalized) }
        }
        if changed(\.volume) {
            // The schema requires a number for it, or a text for manga.
            let isNumber = book.volume.map { Int32($0) != nil } ?? true
            let hasOwn = root.child("MangaVolume") != nil
            root.setText("MangaVolume", hasOwn || !isNumber ? book.volume : nil)
            if root.child("Series") != nil || !hasOwn && isNumber && book.volume != nil {
                root.change("Series") { $0.setText("Volume", !hasOwn && isNumber ? book.volume : nil) }
            }
        }
        if changed(\.title) {
            root.setText("CollectionTitle", book.title)
            // The replacement for a title that was removed.
            if book.title == nil { root.setText("Stories", nil) }
        }
        if changed(\.number) { root.setText("Number", book.number) }
        if changed(\.summary) { root.setText("Summary", book.summary) }
        if changed(\.date) {
            root.setText("StoreDate", nil)
            // A cover states a month; its date is the first day.
            let date = book.date.flatMap { date in
                date.month.flatMap { BookDate(year: date.year, month: $0, day: date.day ?? 1) }
            }
            root.setText("CoverDate", date?.description)
        }
        if changed(\.genres) { root.list("Genres", "Genre", book.genres) }
        if changed(\.tags) { root.list("Tags", "Tag", book.tags) }
        if changed(\.isbn) { root.change("GTIN") { $0.setText("ISBN", book.isbn?.description) } }
        if changed(\.credits) { setCredits(&root) }
    }

    /// Updates the credits. People with unchanged roles keep their credits, which contain their ids in databases.
    private func setCredits(_ root: inout XMLElement) {
        let old = root.child("Credits")?.elements ?? []
        let credits = book.credits.people.map { name, roles in
            let mine = old.first { credit in
                credit.text(of: "Creator").map(XMLText.clean) == name && MetronInfo.roles(of: credit) == roles
            }
            return mine
                ?? XMLElement(
                    "Credit",
                    nodes: [
                        .element(XMLElement(XMLName("Creator"), text: XMLText.clean(name))),
                        .element(
                            XMLElement(
                                "Roles",
                                nodes: roles.map {
                                    .element(XMLElement(XMLName("Role"), text: MetronInfo.word(for: $0)))
                                })),
                    ])
        }
        root.put(credits.isEmpty ? nil : XMLElement("Credits", nodes: credits.map { .element($0) }), as: "Credits")
    }
}

extension MetronInfo {
    /// Returns the roles in a credit.
    static func roles(of credit: XMLElement) -> [CreatorRole] {
        let roles = (credit.child("Roles")?.elements ?? []).compactMap(\.text.meaningful).map(MetronInfo.role).unique
        return roles.isEmpty ? [.other] : roles
    }

    fileprivate static func word(for role: CreatorRole) -> String {
        switch role {
        case .author, .adapter: "Writer"
        case .artist: "Artist"
        case .penciller: "Penciller"
        case .inker: "Inker"
        case .colorist: "Colorist"
        case .letterer: "Letterer"
        case .coverArtist: "Cover"
        case .editor: "Editor"
        case .translator: "Translator"
        case .photographer, .other: "Other"
        }
    }
}

extension XMLElement {
    /// The elements of a MetronInfo and of its parts, in the order of the schema.
    private static let metronOrder = [
        "IDS", "Publisher", "Series", "MangaVolume", "CollectionTitle", "Number", "Stories", "Summary", "Prices",
        "CoverDate", "StoreDate", "PageCount", "Notes", "Genres", "Tags", "Arcs", "Characters", "Teams", "Universes",
        "Locations", "Reprints", "GTIN", "AgeRating", "URLs", "Credits", "LastModified",
    ]
    private static let seriesOrder = ["Name", "SortName", "Volume"]

    /// Sets the text of the element with that name, or removes it.
    fileprivate mutating func setText(_ local: String, _ text: String?) {
        put(text.map { XMLElement(XMLName(local), text: $0) }, as: local)
    }

    fileprivate mutating func list(_ local: String, _ item: String, _ texts: [String]) {
        let kept = child(local)?.elements ?? []
        let items = texts.clean.map { text in
            kept.first { XMLText.clean($0.text) == text } ?? XMLElement(XMLName(item), text: text)
        }
        put(items.isEmpty ? nil : XMLElement(XMLName(local), nodes: items.map { .element($0) }), as: local)
    }

    /// Changes the element with that name, creating it if it is missing; an empty one is removed.
    fileprivate mutating func change(_ local: String, _ body: (inout XMLElement) -> Void) {
        var element = child(local) ?? XMLElement(XMLName(local))
        body(&element)
        put(element.elements.isEmpty ? nil : element, as: local)
    }

    /// Replaces the elements with a name, or inserts the new one in the schema's order; nil removes them.
    fileprivate mutating func put(_ new: XMLElement?, as local: String) {
        let order = XMLElement.metronOrder.contains(local) ? XMLElement.metronOrder : XMLElement.seriesOrder
        let names = nodes.map { if case .element(let element) = $0 { element.name.local } else { "" } }
        let rank = order.firstIndex(of: local) ?? order.count
        let place =
            names.firstIndex(of: local)
            ?? names.firstIndex { !$0.isEmpty && (order.firstIndex(of: $0) ?? order.count) > rank } ?? nodes.count
        nodes.removeAll { if case .element(let element) = $0 { element.name.local == local } else { false } }
        if var new {
            // In the namespace of the document.
            new.name = XMLName(local, in: name.namespace, prefix: name.prefix)
            nodes.insert(.element(new), at: min(place, nodes.count))
        }
    }
}
