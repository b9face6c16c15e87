internal import CLinux
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Writes files beside the work that makes them, a few at once.
///
/// Copying its bytes to the kernel takes longer than anything else that happens to an untouched page.
final class BackgroundWriter: Sendable {
    /// More files at once do not go faster, and each is a page in memory.
    private static let most = 2

    private let queue = DispatchQueue(label: "jisui.writer", attributes: .concurrent)
    private let room = DispatchSemaphore(value: most)
    private let group = DispatchGroup()
    private let failure = Mutex<AdapterError?>(nil)

    /// Begins to write a new file; waits while there are too many in the making.
    ///
    /// - Parameters:
    ///   - path: where it is written now.
    ///   - finalPath: how a message calls it.
    /// - Throws: `.unwritable` when an earlier file could not be written.
    func write(_ bytes: [UInt8], to path: String, finalPath: String) throws(AdapterError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        room.wait()
        queue.async(group: group) {
            let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
            if let file = Descriptor(open(path, flags, 0o666)), bytes.withUnsafeBytes({ file.write($0) }) {
                // On its way to the disk before anyone waits for that.
                linux_start_writeback(file.number)
            } else {
                let error = AdapterError.system(.unwritable, "cannot be written", file: finalPath)
                self.failure.withLock { $0 = $0 ?? error }
            }
            self.room.signal()
        }
    }

    /// Waits until every file is written.
    ///
    /// - Throws: `.unwritable` when one could not be written.
    func finish() throws(AdapterError) {
        group.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
