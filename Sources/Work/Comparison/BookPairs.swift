internal import AdapterKit
package import Conversion
internal import Files
package import PageModel

/// The outputs below some folders, each with the inputs that it is compared with.
package struct BookPairs: Sendable {
    /// An output with its inputs.
    package struct Pair: Sendable {
        /// The path of the output, also of a missing one.
        package let path: String
        /// The path of the missing output's input; nil if the output exists.
        package var missing: String?
        /// The paths of the inputs; empty if it is not compared.
        package var inputs: [String] = []
        /// Whether no input was found, although the outputs are compared with inputs.
        package var isAdded = false
        /// The digest when it was written; nil if it is unknown.
        package var known: KnownOutputs.Output?
        /// The reason that it is unknown which input is meant.
        package var error: AdapterError?
    }

    package private(set) var pairs: [Pair] = []
    /// The paths of files that are not books.
    package let others: [String]
    /// The errors of files and folders that cannot be read.
    package let errors: [AdapterError]

    /// Finds the outputs and their inputs. An input has the same path below its folder, without the extension.
    ///
    /// - Parameters:
    ///   - outputs: the paths of books, or of folders that contain books.
    ///   - inputs: the path of a book or folder; nil for none.
    ///   - known: the digests of earlier runs. Those among the outputs are added.
    ///   - excluded: the paths of files that are not outputs.
    /// - Throws: `.unreadable` for a report or journal; `.empty` without an output.
    package init(
        _ registry: Registry, _ outputs: [String], against inputs: String?, _ known: KnownOutputs,
        excluding excluded: [String]
    ) throws(AdapterError) {
        let found = BookFinder(registry, excluding: excluded).books(at: outputs)
        var known = known
        try known.add(among: found.others)
        var pairs = found.books.map { Pair(path: $0.path, known: known.output(at: $0.path)) }
        var sources = FoundBooks()
        if let inputs {
            sources = BookFinder(registry, excluding: outputs + excluded).books(at: [inputs])
            pairs = BookPairs.paired(pairs, found, sources, outputs, inputs, registry)
        }
        let named = Set(pairs.compactMap { $0.missing.map(BookFile.absolute) })
        for output in outputs where FileStatus.isFolder(output) {
            for lost in known.missing(in: output) where !named.contains(lost.inputs.first ?? "") {
                pairs.append(Pair(path: lost.path, missing: lost.inputs.first ?? "", known: lost))
            }
        }
        (self.pairs, others, errors) = (pairs, found.others, found.errors + sources.errors)
        if pairs.isEmpty, errors.isEmpty { throw AdapterError(.empty, "no book was found", file: outputs.first) }
    }

    private static func paired(
        _ pairs: [Pair], _ found: FoundBooks, _ sources: FoundBooks, _ outputs: [String], _ inputs: String,
        _ registry: Registry
    ) -> [Pair] {
        var pairs = pairs
        let stems = sources.books.map { stem(of: $0, registry) }
        var places: [String: [Int]] = [:]
        for (place, stem) in stems.enumerated() { places[stem, default: []].append(place) }
        let absolute = Dictionary(sources.books.enumerated().map { (BookFile.absolute($0.element.path), $0.offset) }) {
            first, _ in first
        }
        // Two books are compared whatever their names are.
        let areBooks = found.books.map(\.path) == outputs && outputs.count == 1 && sources.books.map(\.path) == [inputs]
        var used: Set<Int> = []
        for (index, book) in found.books.enumerated() {
            let recorded = (pairs[index].known?.inputs ?? []).map { absolute[$0] }
            var chosen = recorded.contains(nil) ? [] : recorded.compactMap(\.self)
            if areBooks { chosen = [0] }
            if chosen.isEmpty {
                let candidates = places[stem(of: book, registry)] ?? []
                let same = candidates.filter {
                    FileName.last(of: sources.books[$0].path) == FileName.last(of: book.path)
                }
                chosen = same.isEmpty ? candidates : same
                if chosen.count > 1 {
                    pairs[index].error = AdapterError(
                        .usage, "several inputs have this name", hint: "compare it with one of them", file: book.path)
                }
            }
            used.formUnion(chosen)
            pairs[index].inputs = chosen.map { sources.books[$0].path }
            pairs[index].isAdded = chosen.isEmpty
        }
        for (place, book) in sources.books.enumerated() where !used.contains(place) {
            pairs.append(Pair(path: stems[place], missing: book.path))
        }
        return pairs
    }

    /// Returns the path of a book below the searched folder, without its extension.
    private static func stem(of book: FoundBooks.Book, _ registry: Registry) -> String {
        let stem = registry.stem(of: Input(path: book.path))
        return book.folder.isEmpty ? stem : "\(book.folder)/\(stem)"
    }
}
