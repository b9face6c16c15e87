/// A file in memory, for libraries that read through functions. It has to outlive the library's handle of it.
final class MemoryStream {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The pointer to give to the library.
    var handle: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the stream from the pointer that the library gives back.
    static func from(_ handle: UnsafeMutableRawPointer?) -> MemoryStream? {
        handle.map { Unmanaged<MemoryStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns false, and stays, if the file has no such place.
    func move(to target: Int) -> Bool {
        guard (0...bytes.count).contains(target) else { return false }
        position = target
        return true
    }

    /// Reads at most `count` bytes, and returns their number: 0 at the end.
    func read(into buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let available = max(0, min(count, bytes.count - position))
        bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: available)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + available]))
        }
        position += available
        return available
    }
}
