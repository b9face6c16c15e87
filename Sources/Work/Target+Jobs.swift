public import AdapterKit
public import Conversion
internal import Files
public import PageModel

extension Target {
    /// Returns a job for each book.
    ///
    /// - Parameters:
    ///   - books: the inputs of each book.
    ///   - mayReplace: whether existing outputs may be replaced. Outputs next to the inputs never replace anything.
    ///   - protected: the files that no output may replace.
    ///   - inputFolders: the folders among the inputs of all books.
    ///   - configure: sets the values that the target does not determine.
    /// - Throws: `.exists` for an output next to its input, `.usage` if an output would replace a page.
    public func jobs(
        for books: [[Input]], mayReplace: Bool, protected: ProtectedInputs, inputFolders: InputFolders,
        configure: (inout Job) -> Void
    ) throws(AdapterError) -> [Job] {
        var jobs: [Job] = []
        for inputs in books {
            let destination = destination(for: inputs[0], mayReplace: mayReplace)
            if isNextToInputs, FileStatus(of: destination.path) != nil {
                throw AdapterError(
                    .exists, "already exists", hint: "use -o to write to another path", file: destination.path)
            }
            if inputFolders.holdPage(destination.path) {
                throw AdapterError(
                    .usage, "the output would replace a page of the book", hint: "give another name with -o",
                    file: destination.path)
            }
            var job = Job(
                inputs: inputs, sink: sink.descriptor.id, destination: destination, settings: settings)
            job.isOneOfSeveral = books.count > 1
            job.isNamedByFormat = isNamedByFormat
            job.protected = protected
            configure(&job)
            jobs.append(job)
        }
        return jobs
    }
}
