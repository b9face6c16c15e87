package import AdapterKit
internal import Files
internal import OrderedJSON
internal import OrderedWork
package import PageModel

/// The book for which a decision file was made: its number of pages, and a digest of each page.
package struct DecisionBook: Sendable, Equatable {
    /// The number of pages of the whole book, even if the file has decisions for some of them only.
    let pageCount: Int
    /// The digests of pages, by `Page.sourceID`. Pages that nothing identifies have none.
    let digests: [Int: PageDigest]

    /// Computes the digests of the pages of a run. Nil if the request does not state the book.
    ///
    /// - Throws: `CancellationError`.
    package init?(_ pages: [Page], _ request: TransformRequest) async throws {
        guard let book = request.book else { return nil }
        pageCount = book.pages.count
        digests = try await book.digests(of: Set(pages.compactMap(\.sourceID)), width: request.width)
    }

    /// Returns nil for an invalid value.
    init?(_ json: JSON) {
        guard let count = json["pages"]?.asInteger, count > 0, let members = json["digests"]?.members else {
            return nil
        }
        var digests: [Int: PageDigest] = [:]
        for (key, value) in members {
            guard let number = Int(key), let text = value.asString else { return nil }
            digests[number] = PageDigest(text: text)
        }
        (pageCount, self.digests) = (count, digests)
    }

    /// The JSON of it, with one line for each digest, so that a person can remove one.
    var text: String {
        let lines = digests.sorted { $0.key < $1.key }.map { number, digest in
            "\n\(JSON.string(String(number)).text): \(JSON.string(digest.text).text)"
        }
        return "{\"pages\": \(pageCount), \"digests\": {\(lines.joined(separator: ","))}}"
    }

    /// Compares pages of a run with the digests.
    ///
    /// - Parameter numbers: the pages to compare, as `Page.sourceID`.
    /// - Returns: for each page whether it is the one of the file. Pages that cannot be compared are missing.
    fileprivate func matches(
        of numbers: Set<Int>, in book: SourceBook, width: Int
    ) async throws -> [Int: Bool] {
        let now = try await book.digests(of: numbers.intersection(digests.keys), width: width)
        var matches: [Int: Bool] = [:]
        for (number, digest) in now {
            guard let then = digests[number], then.isComparable(to: digest) else { continue }
            matches[number] = then == digest
        }
        return matches
    }
}

extension SourceBook {
    /// Returns the digests of pages by their numbers. Pages without a digest are missing.
    ///
    /// - Parameters:
    ///   - numbers: the pages, as `Page.sourceID`.
    ///   - width: the maximum number of pages read at once.
    fileprivate func digests(of numbers: Set<Int>, width: Int) async throws -> [Int: PageDigest] {
        var digests: [Int: PageDigest] = [:]
        try await forEachInOrder(pages.filter { numbers.contains($0.id) }, width: width) { page in
            (page.id, try await digest(page))
        } body: { number, digest in
            digests[number] = digest
        }
        return digests
    }
}

extension PageDigest {
    /// Whether the two cover the same kind of data. Otherwise they do not show whether the pages are the same: options, and
    /// the file format of the book, decide which data a source has.
    fileprivate func isComparable(to other: PageDigest) -> Bool {
        func cover(_ digest: PageDigest) -> Substring { digest.text.prefix { $0 != ":" } }
        return cover(self) == cover(other)
    }
}

extension DecisionDocument.Kind {
    /// Compares the pages of a file with those of a run, and warns about each page that has changed since the file was
    /// made.
    ///
    /// A page is compared by its digest. Without digests, the names are compared, and also for halves of a page, which
    /// have the digest of the whole page.
    ///
    /// - Parameters:
    ///   - pages: the pages of the run.
    ///   - names: the names of the pages in the file, by `Page.id`.
    ///   - filed: the book of the file; nil if the file has none.
    /// - Returns: the pages, by `Page.id`, whose decisions must not be applied.
    /// - Throws: `.usage` if the file is for another book; `CancellationError`.
    package func changedPages(
        among pages: [Page], named names: [Int: String], of filed: DecisionBook?, path: String,
        _ request: TransformRequest
    ) async throws -> Set<Int> {
        let listed = pages.filter { names[$0.id] != nil }
        let numbers = Set(listed.compactMap(\.sourceID))
        let matches = try await matches(of: numbers, filed, path: path, request)
        let whole = Dictionary(request.book?.pages.map { ($0.id, $0.name) } ?? []) { first, _ in first }
        var changed: Set<Int> = []
        var warned: Set<Int> = []
        for page in listed {
            let match = page.sourceID.flatMap { matches[$0] }
            if match == false {
                changed.insert(page.id)
                guard warned.insert(page.sourceID ?? page.id).inserted else { continue }
                let number = page.sourceID ?? page.id
                request.report(
                    Warning(
                        code: "page-changed", page,
                        "did not apply \(FileName.last(of: path)): the page has changed since the file was made",
                        hint: names[page.id] == page.name
                            ? "remove the digest of page \(number) from the file to apply it"
                            : "to apply it, remove the digest of page \(number) from the file and change its name there"
                    ))
            } else if let name = names[page.id], name != page.name, match == nil || whole[page.id] != page.name {
                throw anotherBook("its page \(page.id) is '\(page: name)', not '\(page: page.name)'", path)
            }
        }
        return changed
    }

    /// Returns for each page whether it is the one of the file. Pages that cannot be compared are missing.
    ///
    /// - Throws: `.usage` if the numbers of pages differ, or most of the pages.
    private func matches(
        of numbers: Set<Int>, _ filed: DecisionBook?, path: String, _ request: TransformRequest
    ) async throws -> [Int: Bool] {
        guard let book = request.book else { return [:] }
        guard let filed else {
            request.report(
                Warning(
                    code: "file-without-digests", subject: FileName.last(of: path),
                    message: "has no digests of its pages, so changed pages are not found", isNote: true))
            return [:]
        }
        guard filed.pageCount == book.pages.count else {
            throw anotherBook("its number of pages is \(filed.pageCount), not \(book.pages.count)", path)
        }
        let matches = try await filed.matches(of: numbers, in: book, width: request.width)
        guard matches.values.contains(false) else { return matches }
        // A run may have only the changed pages of a book.
        let others = try await filed.matches(
            of: Set(filed.digests.keys).subtracting(numbers), in: book, width: request.width)
        let all = Array(matches.values) + Array(others.values)
        let differing = all.count { !$0 }
        guard 2 * differing <= all.count else {
            throw anotherBook("\(differing) of \(all.count) compared pages differ", path)
        }
        return matches
    }

    private func anotherBook(_ difference: Message, _ path: String) -> AdapterError {
        AdapterError(
            .usage, "is of another book: \(difference)",
            hint: "use --dry-run and --\(option) with another name to create a file for this book", file: path)
    }
}
