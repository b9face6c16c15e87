internal import CJPEGShims
internal import PageModel

/// The bytes of a JPEG that libjpeg reads one after the other, in portions. An input must not be used by two readers.
final class JPEGInput {
    private let portions: FilePortions
    private var offset = 0
    /// The reason that a portion could not be read.
    private(set) var error: AdapterError?

    init(_ portions: FilePortions) { self.portions = portions }

    /// The functions for libjpeg. This object must live as long as they are used.
    var functions: cjpeg_input {
        cjpeg_input(context: Unmanaged.passUnretained(self).toOpaque()) { context, block, count in
            guard let context, let block else { return -1 }
            let input = Unmanaged<JPEGInput>.fromOpaque(context).takeUnretainedValue()
            return input.read(into: UnsafeMutableBufferPointer(start: block, count: count))
        }
    }

    /// Fills a block with the next bytes and returns their number: 0 at the end, -1 on an error.
    private func read(into block: UnsafeMutableBufferPointer<UInt8>) -> Int {
        do throws(AdapterError) {
            let bytes = try portions.read(offset, min(block.count, portions.count - offset))
            offset += bytes.count
            return block.update(fromContentsOf: bytes)
        } catch {
            self.error = error
            return -1
        }
    }
}
