internal import CArchive
internal import Files
internal import PageModel

internal import var Glibc.SEEK_CUR
internal import var Glibc.SEEK_END

/// The input from which libarchive reads an archive: its parts, one after the other.
///
/// The reading functions of libarchive treat a disk error as the end of the file, and a premature end as damage. This input
/// records the first error.
final class ArchiveInput {
    /// The first read error; every later message of libarchive may be caused by it.
    fileprivate(set) var fault: AdapterError?
    /// The parts; libarchive knows each by its address.
    private var parts: [Volume] = []
    /// The last block read.
    private let block = Block(count: 1 << 18)

    init(paths: [String]) {
        parts = paths.map { Volume($0, of: self) }
    }

    /// Opens an archive whose formats have been chosen.
    ///
    /// - Returns: libarchive's status.
    func open(_ archive: OpaquePointer) -> CInt {
        archive_read_set_read_callback(archive) { _, part, buffer in
            guard let part = ArchiveInput.part(part), let read = part.read() else { return Int(ARCHIVE_FATAL) }
            buffer?.pointee = UnsafeRawPointer(read.baseAddress)
            return read.count
        }
        archive_read_set_skip_callback(archive) { _, part, count in
            ArchiveInput.part(part)?.skip(Int(count)) ?? Int64(ARCHIVE_FATAL)
        }
        archive_read_set_seek_callback(archive) { _, part, offset, origin in
            ArchiveInput.part(part)?.seek(Int(offset), from: origin) ?? Int64(ARCHIVE_FATAL)
        }
        archive_read_set_switch_callback(archive) { _, old, new in
            ArchiveInput.part(old)?.close()
            return ArchiveInput.part(new)?.open() == true ? ARCHIVE_OK : ARCHIVE_FATAL
        }
        for part in parts {
            let status = archive_read_append_callback_data(archive, Unmanaged.passUnretained(part).toOpaque())
            guard status == ARCHIVE_OK else { return status }
        }
        guard parts.first?.open() == true else { return ARCHIVE_FATAL }
        return archive_read_open1(archive)
    }

    private static func part(_ pointer: UnsafeMutableRawPointer?) -> Volume? {
        pointer.map { Unmanaged<Volume>.fromOpaque($0).takeUnretainedValue() }
    }

    /// One file of the archive. Only the current one is open: there may be hundreds.
    private final class Volume {
        /// The request size after a failed read of a whole block, because the bytes before the bad place are intact.
        private static let sectorCount = 1 << 12

        private let path: String
        private unowned let input: ArchiveInput
        private var file: ReadableFile?
        private var position = 0

        init(_ path: String, of input: ArchiveInput) {
            self.path = path
            self.input = input
        }

        func open() -> Bool {
            position = 0
            file = file ?? remembering { () throws(AdapterError) in try ReadableFile(path: path) }
            return file != nil
        }

        func close() {
            file = nil
        }

        /// Returns the next bytes, valid until the next call: none at the end, nil after an error.
        func read() -> UnsafeMutableRawBufferPointer? {
            guard let file else { return nil }
            let block = input.block.bytes
            let count =
                (try? file.read(at: position, into: block))
                ?? remembering { () throws(AdapterError) in
                    let toNextSector = Volume.sectorCount - position % Volume.sectorCount
                    return try file.read(
                        at: position, into: UnsafeMutableRawBufferPointer(rebasing: block[..<toNextSector]))
                }
            guard let count else { return nil }
            position += count
            return UnsafeMutableRawBufferPointer(rebasing: block[..<count])
        }

        /// - Returns: the number of bytes skipped.
        func skip(_ count: Int) -> Int64 {
            let possible = max(0, min(count, (file?.size ?? 0) - position))
            position += possible
            return Int64(possible)
        }

        /// - Returns: the new position; nil for one outside the file.
        func seek(_ offset: Int, from origin: CInt) -> Int64? {
            guard let file else { return nil }
            let start =
                switch origin {
                case SEEK_CUR: position
                case SEEK_END: file.size
                default: 0
                }
            let (target, overflow) = start.addingReportingOverflow(offset)
            guard !overflow, target >= 0 else { return nil }
            position = target
            return Int64(target)
        }

        private func remembering<Value>(_ body: () throws(AdapterError) -> Value) -> Value? {
            do throws(AdapterError) {
                return try body()
            } catch {
                input.fault = input.fault ?? error
                return nil
            }
        }
    }
}
