internal import CProcess
internal import Files
internal import Glibc

/// The files that a command reads and writes, according to its arguments.
package struct FileAccess {
    /// The paths of the inputs.
    package var inputs: [String]
    /// Other files that the command reads.
    package var readable: [String]
    /// Files and folders that the command writes, existing or not.
    package var writable: [String]
    /// Whether libraries in this process may read other files, such as fonts.
    package var isOpenToLibraries: Bool
    /// Whether the command may start an external plug-in.
    package var mayStartPlugins: Bool

    package init(
        inputs: [String] = [], readable: [String] = [], writable: [String] = [], isOpenToLibraries: Bool = false,
        mayStartPlugins: Bool = false
    ) {
        self.inputs = inputs
        self.readable = readable
        self.writable = writable
        self.isOpenToLibraries = isOpenToLibraries
        self.mayStartPlugins = mayStartPlugins
    }
}

extension FileAccess {
    /// Restricts the process to these files, as far as the system supports it.
    ///
    /// The process stays unrestricted if it may start external plug-ins. Their own sandbox may permit more, but a child
    /// process cannot escape the restrictions of its parent.
    ///
    /// Must be called before the process has a second thread.
    package func keep() {
        guard !mayStartPlugins else { return }
        let readsAnything = isOpenToLibraries || OwnWorkers.mayReadOtherFonts
        let readable = readable + OwnWorkers.foldersOfLibraries
        FileAccess.withPointers(to: inputs.filter { $0 != "-" }) { inputs in
            FileAccess.withPointers(to: readable) { readable in
                FileAccess.withPointers(to: writable.filter { $0 != "-" }) { writable in
                    FileName.withCString(of: TemporaryFiles.folder) { temporary in
                        _ = sandbox_keep_to(readsAnything ? nil : inputs, readable, writable, temporary)
                    }
                }
            }
        }
    }

    /// Calls `body` with the paths as a null-terminated C array of strings.
    private static func withPointers(
        to paths: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Void
    ) {
        let copies = paths.map { FileName.withCString(of: $0) { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        pointers.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base) }
        }
    }
}
