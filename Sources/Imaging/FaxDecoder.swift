internal import CTIFF
public import PageModel

/// Decodes CCITT Group 3 and Group 4 data (ITU-T T.4, T.6) through libtiff.
public struct FaxDecoder: Hashable, Sendable {
    /// The coding, as PDF's /K counts it.
    public enum Coding: Hashable, Sendable {
        /// Group 4 (K < 0).
        case group4
        /// Group 3 with one-dimensional rows only (K = 0).
        case group3OneDimensional
        /// Group 3 with one- and two-dimensional rows (K > 0).
        case group3Mixed
    }

    public var coding: Coding
    public var size: PixelSize

    public init(coding: Coding, size: PixelSize) {
        self.coding = coding
        self.size = size
    }

    /// The picture's bits, 0 for black, packed eight pixels a byte, or nil when the data is damaged.
    public func decode(_ data: [UInt8]) -> [UInt8]? {
        let file = TIFFInMemory(file(around: data))
        let rowBytes = (size.width + 7) / 8
        let total = rowBytes * size.height
        let rows = file.withTIFF { tiff -> [UInt8]? in
            // White, for rows that end-of-data leaves out.
            var rows = [UInt8](repeating: 0, count: total)
            let count = TIFFReadEncodedStrip(tiff, 0, &rows, tmsize_t(total))
            guard count == tmsize_t(total) else { return nil }
            // libtiff gives 1 for black: PNG and PDF have it the other way round.
            for index in rows.indices { rows[index] = ~rows[index] }
            return rows
        }
        return file.firstError == nil ? rows ?? nil : nil
    }
}
