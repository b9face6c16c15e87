internal import CProcess
internal import ExternalAdapters
internal import Files
internal import Glibc
internal import Processes

/// The files that a command reads and writes, according to its arguments.
struct FileAccess {
    /// The paths of the inputs.
    var inputs: [String] = []
    /// Other files that the command reads.
    var readable: [String] = []
    /// Files and folders that the command writes, existing or not.
    var writable: [String] = []
    /// Whether libraries in this process may read other files, such as fonts.
    var isOpenToLibraries = false
    /// Whether the command may start an external plug-in.
    var mayStartPlugins = false
}

/// A command that states in advance which files it will access.
protocol DeclaresFileAccess {
    var reach: FileAccess { get }
}

extension FileAccess {
    /// Restricts the process to these files, as far as the system supports it.
    ///
    /// The process stays unrestricted if it may start external plug-ins. Their own sandbox may permit more, but a child process
    /// cannot escape the restrictions of its parent.
    ///
    /// Must be called before the process has a second thread.
    func keep() {
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

extension Convert: DeclaresFileAccess {
    var reach: FileAccess {
        let sideFiles = [result.report].compactMap { $0 } + (transforms.sideFiles + formats.sideFiles).map(\.path)
        let others = [book.metadata, options.passwordFile].compactMap { $0 } + transforms.readFiles + formats.readFiles
        // Without `-o`, outputs are written next to the inputs.
        let outputs = result.output.map { [$0] } ?? inputs.map(FileName.parent)
        return FileAccess(
            inputs: inputs, readable: others, writable: outputs + sideFiles,
            isOpenToLibraries: options.rendersInProcess,
            mayStartPlugins: ExternalPlugins.found.mayTakePart(
                in: inputs, from: options.from, to: result.to, output: result.output,
                options: Set(transforms.values.keys).union(formats.values.keys)))
    }
}

extension Info: DeclaresFileAccess {
    var reach: FileAccess {
        FileAccess(
            inputs: inputs, readable: [options.passwordFile].compactMap { $0 },
            isOpenToLibraries: options.rendersInProcess,
            mayStartPlugins: ExternalPlugins.found.mayTakePart(
                in: inputs, from: options.from, options: Set(adapters.values.keys)))
    }
}

extension Catalog: DeclaresFileAccess {
    var reach: FileAccess { FileAccess(writable: [shelf]) }
}

extension InputOptions {
    /// Whether libraries that read fonts work in this process.
    fileprivate var rendersInProcess: Bool { isolate == OwnWorkers.Scope.none.rawValue }
}
