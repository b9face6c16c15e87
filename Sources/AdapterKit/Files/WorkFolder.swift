/// A hidden folder for what another program has to keep in files for a while. It is removed with this.
public final class WorkFolder: Sendable {
    private let folder: TemporaryFolder

    /// The name of the one file in it that is jisui's own.
    public static let mark = TemporaryFolder.mark

    private static let prefix = ".jisui-scratch-"

    /// Makes one where temporary files lie.
    ///
    /// - Throws: `.unwritable`.
    public init(_ list: TemporaryFiles) throws(AdapterError) {
        let parent = TemporaryFolder.usualParent
        TemporaryFolder.removeRemains(in: parent, prefix: WorkFolder.prefix, list)
        guard let folder = TemporaryFolder(in: parent, prefix: WorkFolder.prefix, list) else {
            throw .system(
                .unwritable, "a temporary folder in \(parent) cannot be made",
                advice: "set TMPDIR to a folder with enough room")
        }
        self.folder = folder
    }

    public var path: String { folder.path }

    deinit {
        folder.remove()
    }
}
