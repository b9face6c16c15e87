internal import CJPEGShims
internal import PageModel

/// A strict reader that looks for damage in a JPEG: the format has no checksums.
///
/// It notices more than a decoder has to. After damaged bits the codes of a scan soon fall in step again. A decoder then goes on,
/// with values that no image has, or with a wrong number of blocks.
enum JPEGCheck {
    /// Looks for damage in a JPEG with Huffman or arithmetic coding and 8 bits a sample.
    ///
    /// - Throws: `PictureFault` if there is any, or the image has more than `maximumPixels`.
    static func check(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) {
        guard let header = JPEGHeader(file) else { throw PictureFault("the data is not a JPEG") }
        guard let size = header.size else { throw .isBroken(.jpeg, "it does not state its size") }
        try size.check(.jpeg, maximumPixels: maximumPixels)
        try JPEGHeader.check(components: header.components.count)
        var diagnostic = cjpeg_diagnostic()
        guard cjpeg_check(file, file.count, &diagnostic) else {
            throw PictureFault(diagnostic.text ?? "the JPEG cannot be processed")
        }
        do throws(ScanReader.Fault) {
            try checkScans(of: file)
        } catch {
            throw PictureFault("the coded data of the JPEG does not fit its blocks")
        }
    }

    /// Reads the scans without their values. Kinds of JPEGs that neither `SequentialScan` nor `ProgressiveCheck` knows are not
    /// checked.
    private static func checkScans(of file: [UInt8]) throws(ScanReader.Fault) {
        try ProgressiveCheck.check(file)
        guard let scan = SequentialScan(file), let data = CodedData(file, of: scan) else { return }
        try ScanReader.from(data, of: scan) { walk throws(ScanReader.Fault) in
            try walk.check(mcus: scan.mcuCount.area)
            try walk.checkWhole()
        }
    }
}

extension ScanReader {
    /// Reads MCUs, and throws if a block has data that no encoder writes.
    fileprivate mutating func check(mcus count: Int) throws(Fault) {
        // The shortest word of a code consists of zeros (ITU-T T.81, annex C).
        let zerosEndBlock = components.map { $0.coefficients.words.first?.symbol == 0 }
        for _ in 0..<count {
            try beginMCU()
            for index in components.indices {
                for _ in 0..<components[index].blockCount {
                    averages[index] += try difference(of: index, at: &cursor)
                    let start = cursor.place
                    let place = try passCoefficients(of: index, at: &cursor)
                    // Zeros beyond the block are damage that not all decoders report.
                    guard place == 64 || place >= BlockTables.restOfBlock,
                        // An erased sector of a disk: all coefficients would be -1, or every third, and so on.
                        zerosEndBlock[index] || !isZero(start..<cursor.place)
                    else { throw Fault() }
                }
            }
            guard cursor.bytePlace <= data.ends[interval] + 8 else { throw Fault() }
        }
    }

    /// Whether all bits in a range of places are zero.
    private func isZero(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            let count = min(range.upperBound - place, 56)
            let word = UInt64(bigEndian: (source + place >> 3).loadUnaligned(as: UInt64.self))
            guard (word << UInt64(place & 7)) >> UInt64(64 - count) == 0 else { return false }
            place += count
        }
        return true
    }
}
