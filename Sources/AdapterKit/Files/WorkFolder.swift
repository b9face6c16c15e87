/// A hidden folder for what another program has to keep in files for a while. It is removed with this.
public final class WorkFolder: Sendable {
    private let folder: Kept

    /// Only its path and its end are asked for, the first of which does not change and the second comes when nobody else has it.
    private struct Kept: @unchecked Sendable {
        let folder: TemporaryFolder
    }

    private static let prefix = ".jisui-scratch-"

    /// Makes one in `TMPDIR`, or in /var/tmp, which unlike /tmp is seldom memory.
    ///
    /// - Throws: `.unwritable`.
    public init(_ list: TemporaryFiles) throws(AdapterError) {
        let parent = environmentPath("TMPDIR") ?? "/var/tmp"
        TemporaryFolder.removeRemains(in: parent, prefix: WorkFolder.prefix, list)
        guard let folder = TemporaryFolder(in: parent, prefix: WorkFolder.prefix, list) else {
            throw .system(
                .unwritable, "a temporary folder in \(parent) cannot be made",
                advice: "set TMPDIR to a folder with enough room")
        }
        self.folder = Kept(folder: folder)
    }

    public var path: String { folder.folder.path }

    deinit {
        folder.folder.remove()
    }
}
