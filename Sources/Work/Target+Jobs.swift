public import AdapterKit
public import Conversion
internal import Files
internal import Metadata
public import PageModel
internal import PageNames

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

extension Target {
    /// Rejects a folder of folders that are volumes by their names. It could become one book with chapters, or a book
    /// of each. The name of an output answers that.
    ///
    /// - Throws: `.usage`, with the commands for both.
    func refuseVolumes(in input: Input) throws(AdapterError) {
        guard namesFilesAfterInputs, FileStatus.isFolder(input.path) else { return }
        let root = FileName.endsInSlash(input.path) ? input.path : input.path + "/"
        let entries = (try? FolderListing.entries(in: input.path)) ?? []
        if entries.contains(where: { !$0.isFolder && PictureName.matches($0.name) }) { return }
        let names = PageOrder.sorted(entries.filter(\.isFolder).map(\.name), by: \.self).filter { name in
            !JunkName.matches(name, isFolder: true)
                && ((try? FolderListing.names(in: root + name)) ?? []).contains(where: PictureName.matches)
        }
        guard names.count > 1, names.allSatisfy({ FileNameGuess($0)?.isOfVolume == true }) else { return }
        let output = folder.map { " -o \(ShellWord.quoted($0))" } ?? ""
        let each = "jisui \(ShellWord.quoted(root))*/\(output) --to \(sink.descriptor.id)"
        let one = destination(for: input, mayReplace: false).path
        throw AdapterError(
            .usage, "holds \(names.count) folders of volumes, such as \(names[0])",
            hint: "for a book of each, use \(each); for one book with chapters, use "
                + "jisui \(ShellWord.quoted(input.path)) -o \(ShellWord.quoted(one))", file: input.name)
    }
}
