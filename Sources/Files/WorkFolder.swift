public import PageModel

/// A hidden folder for temporary files of another program. It is removed with this object.
public final class WorkFolder: Sendable {
    private let folder: TemporaryFolder

    /// The name of the one file in it that belongs to jisui.
    public static let mark = TemporaryFolder.mark

    private static let prefix = ".jisui-scratch-"

    /// Makes a folder in the folder of temporary files.
    ///
    /// - Throws: `.unwritable`.
    public init(_ list: TemporaryFiles) throws(AdapterError) {
        let parent = TemporaryFolder.usualParent
        TemporaryFolder.removeRemains(in: parent, prefix: WorkFolder.prefix, list)
        guard let folder = TemporaryFolder(in: parent, prefix: WorkFolder.prefix, list) else {
            throw .system(
                .unwritable, "a temporary folder in \(parent) cannot be created",
                hint: "set TMPDIR to a folder with enough free space")
        }
        self.folder = folder
    }

    public var path: String { folder.path }

    deinit {
        folder.remove()
    }
}
