internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
internal import PageNames

/// A file that is written in addition to the output.
struct SideFile {
    static let report = "report"

    /// The option that names it.
    var option: String
    var path: String
    /// Whether an existing file is read, and not overwritten.
    var keepsWhatIsThere = false
}

/// The report and the additional files of adapters. They must not replace files that the run reads or writes.
struct SideFiles {
    let files: [SideFile]
    /// The paths that the run reads or writes, except for these files themselves.
    let others: [String]
    /// The folders that become outputs.
    let outputFolders: [String]
    let inputFolders: InputFolders
    /// The number of books that are converted.
    let bookCount: Int

    /// Rejects the first file that would replace another.
    func validate() throws(AdapterError) {
        for file in files {
            try refuseName(of: file)
            try refusePlace(of: file)
        }
    }

    private func refuseName(of file: SideFile) throws(AdapterError) {
        let (option, path) = (file.option, file.path)
        if option != SideFile.report, bookCount > 1 {
            throw AdapterError(.usage, "--\(option) can be used for one book only, but there are \(bookCount)")
        }
        if let twin = files.first(where: { $0.path == path && $0.option != option }) {
            throw AdapterError(
                .usage, "--\(twin.option) and --\(option) would write the same file", hint: "give them two names",
                file: path)
        }
        if path == "-" {
            throw AdapterError(.usage, "--\(option) needs a file: standard output is for --report")
        }
    }

    private func refusePlace(of file: SideFile) throws(AdapterError) {
        let (option, path) = (file.option, file.path)
        // A report may replace an earlier one.
        let mayStay = file.keepsWhatIsThere || option == SideFile.report && ReportStream.isReport(path)
        let taken: String? =
            if inputFolders.holdPage(path) {
                "a page of the book"
            } else if !mayStay, inputFolders.hold(path) {
                "a file in the book's folder"
            } else if (others + files.filter { $0.option != option }.map(\.path)).contains(where: {
                $0 == path || FileIdentity.areSame($0, path)
            }) {
                "a file that this run reads or writes"
            } else {
                nil
            }
        if let taken {
            throw AdapterError(
                .usage, "the \(option) would replace \(taken)", hint: "give it another name", file: path)
        }
        // An empty folder is filled, and would not be empty anymore.
        let ancestors = Set(FileIdentity.ancestors(of: FileName.parent(of: path)))
        if let folder = outputFolders.first(where: { FileIdentity($0).map(ancestors.contains) ?? false }) {
            throw AdapterError(
                .usage, "the \(option) is inside the output folder \(folder)", hint: "give it another place",
                file: path)
        }
    }
}

/// The folders among the inputs.
struct InputFolders {
    private let folders: Set<FileIdentity>

    init(_ inputs: [Input]) {
        folders = Set(inputs.compactMap { FileStatus(of: $0.path) }.filter { $0.kind == .folder }.map(\.identity))
    }

    /// Returns whether a path names an existing file inside one of them.
    func hold(_ path: String) -> Bool {
        guard !folders.isEmpty, let file = FileName.resolved(path) else { return false }
        return FileIdentity.ancestors(of: file).dropFirst().contains(where: folders.contains)
    }

    /// Returns whether a path names an existing page or metadata file of a book in one of them.
    func holdPage(_ path: String) -> Bool {
        guard !folders.isEmpty, let file = FileName.resolved(path) else { return false }
        return (PictureName.matches(file) || BookDocument.matches(file)) && hold(file)
    }
}
