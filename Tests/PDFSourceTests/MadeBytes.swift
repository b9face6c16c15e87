import AdapterKit
import Synchronization

@testable import PDFSource

/// Bytes in memory that can be made to fail, and that count what is read of them.
final class MadeBytes: ByteSource {
    /// Which reads fail, and with what.
    enum Fault: Sendable {
        case none
        /// Every read of something in a range.
        case always(Range<Int>, AdapterError)
        /// The next reads of something in a range, as many as said.
        case times(Int, Range<Int>, AdapterError)
    }

    let path = "made.pdf"
    let bytes: [UInt8]
    private let state = Mutex((fault: Fault.none, count: 0))

    static let diskError = AdapterError(.unreadable, "the file cannot be read: input/output error", file: "made.pdf")

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var size: Int { bytes.count }
    /// How many bytes were read so far.
    var count: Int { state.withLock { $0.count } }

    func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
        let count = max(0, min(buffer.count, size - offset))
        let error = state.withLock { state -> AdapterError? in
            state.count += count
            switch state.fault {
            case .always(let range, let error) where range.overlaps(offset..<offset + count): return error
            case .times(let left, let range, let error) where left > 0 && range.overlaps(offset..<offset + count):
                state.fault = .times(left - 1, range, error)
                return error
            default: return nil
            }
        }
        if let error { throw error }
        buffer.copyBytes(from: bytes[offset..<offset + count])
        return count
    }

    /// Where a text stands, first.
    func range(of text: String) throws -> Range<Int> {
        guard let range = bytes.firstRange(of: Array(text.utf8)) else { throw AdapterError(.empty, "no \(text)") }
        return range
    }
}
