public import AdapterKit
public import Conversion
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
    /// - Throws: `.usage` if an output would replace a page, or for a folder of volumes.
    public func jobs(
        for books: [[Input]], mayReplace: Bool, protected: ProtectedInputs, inputFolders: InputFolders,
        configure: (inout Job) -> Void
    ) throws(AdapterError) -> [Job] {
        var jobs: [Job] = []
        for inputs in books {
            if inputs.count == 1 { try refuseVolumes(in: inputs[0]) }
            let destination = destination(for: inputs[0], mayReplace: mayReplace)
            try inputFolders.refusePage(destination)
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
