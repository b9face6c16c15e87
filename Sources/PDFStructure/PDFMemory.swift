internal import CQPDFShims
package import PageModel

/// The limit on the memory of qpdf for one book, whose file may be open several times.
package final class PDFMemory: Sendable {
    /// Sendable, because the shim shares only a counter, which is atomic.
    private let address: UInt

    var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// The minimum amount, which is more than a usual book needs.
    private static let leastBytes = 64_000_000

    /// - Parameter bytes: the maximum number of bytes in all. Three quarters may be objects and tables. A third may be the
    ///   data of one stream, because jisui copies and decodes them.
    /// - Throws: `outOfMemory`.
    package init(bytes: Int = 1_000_000_000) throws(AdapterError) {
        let structure = max(PDFMemory.leastBytes, bytes - bytes / 4)
        let data = max(PDFMemory.leastBytes, bytes / 3)
        guard let handle = jqpdf_memory_new(Int64(structure), Int64(data)) else { throw PDFFile.outOfMemory }
        address = UInt(bitPattern: handle)
    }

    deinit {
        jqpdf_memory_free(handle)
    }
}
