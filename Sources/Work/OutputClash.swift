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
        // Compared by bytes: for the system, a precomposed letter differs from a letter with a combining accent.
        let sharing = Dictionary(grouping: books.filter { !$0.isInCollection }) {
            FileName.bytes(of: $0.job.destination.path)
        }.values.filter { $0.count > 1 }
        return sharing.map { OutputClash(path: $0[0].job.destination.path, books: $0) }.sorted { $0.path < $1.path }
    }

    /// Returns the error for clashes, which names all inputs.
    static func error(_ clashes: [OutputClash]) -> AdapterError {
        let list = clashes.map { clash -> Message in
            let names = clash.books.map { Message(verbatim: $0.name) }
            return clash.books.count == 2
                ? "\(names.listed()) would both become \(clash.path)"
                : "\(names.listed()) would all become \(clash.path)"
        }
        return AdapterError(.usage, list.joined(separator: "; "), hint: hint(clashes))
    }

    /// Returns the option that gives the books different names.
    private static func hint(_ clashes: [OutputClash]) -> Message {
        let inputs = clashes.map { $0.books.compactMap(\.job.inputs.first) }
        if inputs.contains(where: { Set($0.map(\.path)).count < $0.count }) { return "give each input once" }
        let templates = ["{folder} {name}.{ext}", "{file}.{ext}", "{folder} {file}.{ext}"]
        let fitting = templates.first { text in
            guard let template = try? NameTemplate(text) else { return false }
            return inputs.allSatisfy { inputs in
                Set(inputs.map { template.name(for: $0) }).count == inputs.count
            }
        }
        return fitting.map { "use --name '\($0)'" } ?? "convert them into different folders"
    }
}
