public import PDFStructure
public import PageModel
internal import Synchronization

/// Bytes in memory that can be made to fail, and that count how often they are opened.
public final class SyntheticBytes: ByteSource {
    /// Which reads fail, and with what.
    public enum Fault: Sendable {
        case none
        /// Every read of something in a range.
        case always(Range<Int>, AdapterError)
        /// The next reads of something in a range, as many as said.
        case times(Int, Range<Int>, AdapterError)
    }

    public let path = "made.pdf"
    public let bytes: [UInt8]
    private let state = Mutex((fault: Fault.none, openings: 0))

    public static let diskError = AdapterError(
        .unreadable, "the file cannot be read: input/output error", file: "made.pdf")

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var size: Int { bytes.count }
    /// How often the first byte was read, which everyone does who opens a PDF.
    public var openings: Int { state.withLock { $0.openings } }

    public func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }

    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
        let count = max(0, min(buffer.count, size - offset))
        let error = state.withLock { state -> AdapterError? in
            if offset == 0 { state.openings += 1 }
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
    public func range(of text: String) throws -> Range<Int> {
        guard let range = bytes.firstRange(of: Array(text.utf8)) else { throw AdapterError(.empty, "no \(text)") }
        return range
    }
}
