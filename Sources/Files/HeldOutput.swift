public import PageModel
internal import Synchronization

/// A complete output that waits for an inspection before it is published.
///
/// `OutputFile` and `OutputFolder` put themselves into their destination's `HeldOutput` instead of appearing. A holder
/// that is released before it publishes the output removes it.
public final class HeldOutput: Sendable {
    private struct State {
        var path: String?
        var folder: TemporaryFolder?
        var appear: (@Sendable () throws(AdapterError) -> Void)?
        /// The checksums of written files, by their paths in the output; "" for an output that is one file.
        var checksums: [String: ByteChecksum] = [:]
    }

    private let state = Mutex(State())
    /// Whether the output waits. Otherwise it is published at once, and only its path is noted.
    let waits: Bool

    /// - Parameter waits: whether the output is held back; false only records its path.
    public init(waits: Bool) {
        self.waits = waits
    }

    deinit { discard() }

    /// The current path of the output; nil before it is complete.
    public var path: String? { state.withLock { $0.path } }

    /// Whether the output is waiting now. A sink whose books get their place at the end publishes them at once.
    public var isWaiting: Bool { state.withLock { $0.appear != nil } }

    /// Publishes the output at its destination, if it waits.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        let appear = state.withLock { state in
            let appear = state.appear
            state.appear = nil
            return appear
        }
        try appear?()
        state.withLock { $0.folder = nil }
    }

    /// Publishes the outputs of one book. The first one appears last: once it is there, all are.
    ///
    /// - Parameter outputs: the outputs with their destinations.
    /// - Throws: the errors of `publish`. The outputs that have appeared by then are removed, unless they replaced others.
    public static func publishAll(_ outputs: [(output: HeldOutput, path: String)]) throws(AdapterError) {
        var new: [String] = []
        for (output, path) in outputs.reversed() {
            let isNew = FileStatus.isMissing(path)
            do {
                try output.publish()
            } catch {
                for path in new { Folder.remove(FileName.withoutSlashAtEnd(path)) }
                throw error
            }
            if isNew { new.append(path) }
        }
    }

    /// Removes the output, if it waits.
    public func discard() {
        let folder = state.withLock { state in
            let folder = state.folder
            (state.folder, state.appear) = (nil, nil)
            return folder
        }
        folder?.remove()
    }

    /// Holds an output back.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - folder: its temporary folder.
    ///   - appear: publishes it and removes the folder. It must not retain this holder.
    func hold(
        _ path: String, in folder: TemporaryFolder, appear: @escaping @Sendable () throws(AdapterError) -> Void
    ) {
        state.withLock { ($0.path, $0.folder, $0.appear) = (path, folder, appear) }
    }

    /// Notes the checksum of a file of the output.
    ///
    /// - Parameter name: its path in the output; "" for an output that is one file.
    func expect(_ checksum: ByteChecksum, in name: String) {
        state.withLock { $0.checksums[name] = checksum }
    }

    /// Returns the path in the waiting output of a file with other bytes than the written ones; nil without such a file.
    ///
    /// Files that other programs wrote are not compared.
    public func changedFile() -> String? {
        let (path, checksums) = state.withLock { ($0.appear == nil ? nil : $0.path, $0.checksums) }
        guard let path else { return nil }
        return checksums.sorted { $0.key < $1.key }.first { name, checksum in
            checksum.isOf(name.isEmpty ? path : "\(path)/\(name)") == false
        }?.key
    }

    /// Notes where an output has appeared.
    func note(_ path: String) {
        state.withLock { $0.path = path }
    }
}
