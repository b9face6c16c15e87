internal import AdapterKit
public import Conversion
internal import Files
public import PageModel

extension Target {
    /// Jobs with the names that a template gives their outputs.
    public struct NamedJobs: Sendable {
        public let jobs: [Job]
        /// A note on the books that keep the names of their inputs; nil if every book has its fields.
        public let note: Message?
    }

    /// Names the outputs of jobs. If the template needs metadata, it opens every book.
    ///
    /// A book without a value for a field keeps its name, and so does one that cannot be opened: its conversion reports
    /// the error.
    ///
    /// - Parameter inputFolders: the folders among the inputs of all books.
    /// - Throws: `.usage` if the outputs are not named after their inputs, or if one would replace a page;
    ///   `CancellationError`.
    public func named(
        _ jobs: [Job], _ template: NameTemplate, inputFolders: InputFolders
    ) async throws -> NamedJobs {
        try refuseNames()
        var named: [Job] = []
        var unnamed: [(input: String, fields: [String])] = []
        for job in jobs {
            var job = job
            if let input = job.inputs.first {
                try Task.checkCancellation()
                let book = template.needsMetadata ? try? await Conversion(registry, job).metadata() : nil
                if book != nil || !template.needsMetadata {
                    switch name(for: input, template, book) {
                    case .name(let stem):
                        job.destination = destination(for: input, stem: stem, mayReplace: job.destination.mayReplace)
                        try inputFolders.refusePage(job.destination)
                    case .missing(let fields): unnamed.append((input.name, fields))
                    }
                }
            }
            named.append(job)
        }
        return NamedJobs(jobs: named, note: Target.note(unnamed, usesGuess: jobs.contains(where: \.writesGuess)))
    }

    private static func note(_ unnamed: [(input: String, fields: [String])], usesGuess: Bool) -> Message? {
        guard let first = unnamed.first else { return nil }
        let fields = unnamed.flatMap(\.fields).unique.map { Message(verbatim: "{\($0)}") }.listed()
        let fault: Message =
            unnamed.count == 1
            ? "\(first.input): took the input's name for the output, because the book has no \(fields)"
            : "took the inputs' names for the outputs of \(unnamed.count) books without \(fields), such as \(first.input)"
        return usesGuess ? fault : "\(fault); use --guess to infer metadata from the file name"
    }

    private func refuseNames() throws(AdapterError) {
        if isCollection {
            throw AdapterError(
                .usage, "--name cannot name the books of a shelf, which names their folders by their titles")
        }
        if folder == nil, !isNextToInputs {
            throw AdapterError(
                .usage, "--name is for outputs in a folder, but -o names the output itself",
                hint: "use -o DIR/ --to \(sink.descriptor.id)")
        }
    }
}
