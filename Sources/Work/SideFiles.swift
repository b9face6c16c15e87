internal import Conversion
internal import Files
public import PageModel

/// A file that is written in addition to the output.
public struct SideFile: Sendable {
    /// The option of the report.
    public static let report = "report"
    /// The options of files that several books share.
    static let shared: Set = [report, "journal", "progress", "metrics"]

    /// The option that names it, without the dashes.
    public var option: String
    public var path: String
    /// Whether an existing file is read, and not overwritten.
    public var keepsWhatIsThere: Bool

    public init(option: String, path: String, keepsWhatIsThere: Bool = false) {
        self.option = option
        self.path = path
        self.keepsWhatIsThere = keepsWhatIsThere
    }
}

/// The report and the additional files of adapters. They must not replace files that the run reads or writes.
public struct SideFiles: Sendable {
    private let files: [SideFile]
    /// The paths of the files that the run reads.
    private let readFiles: [String]
    private let inputFolders: InputFolders

    /// - Parameters:
    ///   - files: the files, without a report on standard output.
    ///   - readFiles: the paths of the inputs and of all other files that the run reads.
    ///   - inputFolders: the folders among the inputs.
    public init(_ files: [SideFile], readFiles: [String], inputFolders: InputFolders) {
        self.files = files
        self.readFiles = readFiles
        self.inputFolders = inputFolders
    }

    /// Rejects the first file that would replace a file that the run reads, in a run without outputs.
    public func validate() throws(AdapterError) { try validate(for: []) }

    /// Rejects the first file that would replace another.
    ///
    /// - Parameter books: the books of the run.
    func validate(for books: [BatchBook]) throws(AdapterError) {
        let written = books.filter { !$0.job.destination.isStandardOutput }
        let folders = written.filter { !$0.isInCollection }.map(\.job.destination.path).filter(FileStatus.isFolder)
        let others = readFiles + written.map(\.job.destination.path)
        for file in files {
            try refuseName(of: file, bookCount: books.count)
            try refusePlace(of: file, others, outputFolders: folders)
        }
    }

    private func refuseName(of file: SideFile, bookCount: Int) throws(AdapterError) {
        let (option, path) = (file.option, file.path)
        if !SideFile.shared.contains(option), bookCount > 1 {
            throw AdapterError(.usage, "--\(option) can be used for one book only, but there are \(bookCount)")
        }
        if let twin = files.first(where: {
            $0.option != option && FilePlace($0.path) == FilePlace(path)
        }) {
            throw AdapterError(
                .usage, "--\(twin.option) and --\(option) would write the same file", hint: "give them two names",
                file: path)
        }
        if path == "-" {
            throw AdapterError(.usage, "--\(option) needs a file: standard output is for --report")
        }
    }

    /// - Parameters:
    ///   - others: the paths that the run reads or writes, except for these files themselves.
    ///   - outputFolders: the folders that become outputs.
    private func refusePlace(
        of file: SideFile, _ others: [String], outputFolders: [String]
    ) throws(AdapterError) {
        let (option, path) = (file.option, file.path)
        let place = FilePlace(path)
        // A report may replace an earlier one.
        let mayStay = file.keepsWhatIsThere || option == SideFile.report && ReportStream.isReport(path)
        let taken: String? =
            if inputFolders.holdPage(path) {
                "a page of the book"
            } else if !mayStay, inputFolders.hold(path) {
                "a file in the book's folder"
            } else if (others + files.filter { $0.option != option }.map(\.path)).contains(where: {
                FilePlace($0) == place
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
