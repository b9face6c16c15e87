internal import Glibc
internal import PageModel
internal import Synchronization

/// The list of files that currently have temporary names.
///
/// The creator of a temporary file removes it. The list covers the one exception: a signal ends the program while a C
/// library does not return. A program has one list and passes it to every `Destination`.
public final class TemporaryFiles: Sendable {
    private struct State {
        var paths: Set<String> = []
        var published: [String] = []
        var isClosed = false
        var remains: [String: [String]] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// The path of the folder for temporary files.
    public static var folder: String { TemporaryFolder.usualParent }

    func add(_ path: String) {
        state.withLock { _ = $0.paths.insert(path) }
    }

    func forget(_ path: String) {
        state.withLock { _ = $0.paths.remove(path) }
    }

    /// The paths of the published outputs, in the order of their publication.
    public var published: [String] { state.withLock { $0.published } }

    /// Returns the names in a folder that killed runs may have left there. Each folder is listed once: all outputs of a
    /// batch are in one. Listing it for each output would take time that grows with the square of their number.
    func remains(in folder: String) -> [String] {
        if let known = state.withLock({ $0.remains[folder] }) { return known }
        let names = ((try? FolderListing.names(in: folder)) ?? []).filter {
            $0.hasPrefix(".") && $0.contains(".jisui-")
        }
        state.withLock { $0.remains[folder] = names }
        return names
    }

    /// Runs the code that publishes an output. It never runs during or after the removal of all files.
    ///
    /// - Parameter path: the output's path, as given.
    /// - Throws: the errors of `body`. It throws `.unwritable` when the program is about to end.
    func publish(_ path: String, _ body: () throws(AdapterError) -> Void) throws(AdapterError) {
        let result = state.withLock { state -> Result<Void, AdapterError> in
            if state.isClosed { return .failure(AdapterError(.unwritable, "the run was interrupted")) }
            return Result { () throws(AdapterError) in
                try body()
                state.published.append(path)
            }
        }
        try result.get()
    }

    /// Removes everything on the list, right before the program ends. No output appears after that.
    ///
    /// Work may continue and write files into folders that are being removed, so the removal is retried for a moment.
    public func removeAll() {
        var paths = state.withLock { state in
            state.isClosed = true
            return state.paths
        }
        for _ in 0..<TemporaryFiles.attempts {
            paths = paths.filter { !Folder.remove($0, last: TemporaryFolder.mark) }
            if paths.isEmpty { return }
            usleep(TemporaryFiles.pause)
        }
    }

    private static let attempts = 50
    /// The pause between attempts, in microseconds.
    private static let pause: UInt32 = 2000
}
