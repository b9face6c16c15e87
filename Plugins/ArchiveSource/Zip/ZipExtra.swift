internal import AdapterKit

/// What the extra field of a table-of-contents record adds to it (APPNOTE.TXT, sections 4.5 and 4.6.9).
///
/// A field that is torn adds nothing: the record's own numbers are checked anyway.
struct ZipExtra {
    private(set) var size: Int?
    private(set) var compressedSize: Int?
    private(set) var offset: Int?
    private(set) var unicodeName: String?

    /// - Parameter saturated: which of the record's numbers were too large for it; the zip64 field has only those.
    init(_ extra: ArraySlice<UInt8>, rawName: [UInt8], saturated: (full: Bool, compressed: Bool, offset: Bool)) {
        var cursor = ByteCursor(extra)
        while let id = try? cursor.number(2), let count = try? cursor.number(2), let data = try? cursor.bytes(count) {
            var field = ByteCursor(data)
            switch id {
            case 0x0001:
                if saturated.full { size = try? field.number(8) }
                if saturated.compressed { compressedSize = try? field.number(8) }
                if saturated.offset { offset = try? field.number(8) }
            case 0x7075:
                unicodeName = ZipExtra.unicodeName(&field, rawName: rawName)
            default:
                break
            }
        }
    }

    /// Info-ZIP's Unicode Path: valid only while its checksum is that of the name it accompanies, since a program
    /// that does not know the field may have renamed the entry.
    private static func unicodeName(_ field: inout ByteCursor, rawName: [UInt8]) -> String? {
        guard let version = try? field.number(1), version == 1, let sum = try? field.number(4),
            UInt32(sum) == checksum(of: rawName), let name = try? field.bytes(field.remaining)
        else { return nil }
        return String(validating: name, as: UTF8.self)
    }
}
