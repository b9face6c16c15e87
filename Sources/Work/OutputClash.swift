internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel

/// Several books that would become the same output.
struct OutputClash: Sendable {
    let path: String
    let books: [BatchBook]

    /// Returns all clashes of a batch, in the order of the paths.
    static func all(in books: [BatchBook]) -> [OutputClash] {
        let sharing = Dictionary(grouping: books.filter { !$0.isInCollection }) {
            FilePlace($0.job.destination.path)
        }.values.filter { $0.count > 1 }
        let clashes = sharing.map { OutputClash(path: $0[0].job.destination.path, books: $0) }
        return (clashes + ofVolumes(books)).sorted { $0.path < $1.path }
    }

    /// Returns the books whose output may be a volume of another book.
    private static func ofVolumes(_ books: [BatchBook]) -> [OutputClash] {
        let split = books.filter { $0.volumes != nil }
        guard split.count > 1 else { return [] }
        let owners = Dictionary(split.map { (FilePlace($0.job.destination.path), $0) }) { first, _ in first }
        return split.compactMap { book in
            let path = book.job.destination.path
            guard let whole = VolumePaths.whole(ofVolume: path), let owner = owners[FilePlace(whole)],
                owner.number != book.number
            else { return nil }
            return OutputClash(path: path, books: [owner, book])
        }
    }

    /// Returns the error for clashes, which names all inputs.
    ///
    /// - Parameter others: the books that do not clash, which are converted.
    static func error(_ clashes: [OutputClash], others: [BatchBook], _ registry: Registry) -> AdapterError {
        let list = clashes.map { clash -> Message in
            let names = clash.books.map { Message(verbatim: $0.name) }
            return clash.books.count == 2
                ? "\(names.listed()) would both become \(clash.path)"
                : "\(names.listed()) would all become \(clash.path)"
        }
        return AdapterError(.usage, list.joined(separator: "; "), hint: hint(clashes, others, registry))
    }

    /// Returns the option that gives the books different names. If others are converted under their names, the option
    /// is for the clashing books alone. Otherwise a later run would convert the others again.
    private static func hint(_ clashes: [OutputClash], _ others: [BatchBook], _ registry: Registry) -> Message {
        let inputs = clashes.flatMap { $0.books.compactMap(\.job.inputs.first) }
        if Set(inputs.map(\.path)).count < inputs.count { return "give each input once" }
        let stems = { (books: [Input], template: NameTemplate) -> [String] in
            books.compactMap { input in
                let stem = registry.stem(of: input)
                guard case .name(let name) = template.name(for: input, stem: stem, pathExtension: "", nil) else {
                    return nil
                }
                return name
            }
        }
        let taken = Set(others.compactMap(\.job.inputs.first).map(registry.stem))
        let fitting = ["{folder} {name}.{ext}", "{file}.{ext}", "{folder} {file}.{ext}"].first { text in
            guard let template = try? NameTemplate(text) else { return false }
            let names = stems(inputs, template)
            return names.count == inputs.count && Set(names).count == names.count && taken.isDisjoint(with: names)
        }
        guard let fitting else { return "convert them into different folders" }
        return others.isEmpty ? "use --name '\(fitting)'" : "convert these books alone, with --name '\(fitting)'"
    }
}
