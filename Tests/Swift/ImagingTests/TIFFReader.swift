import CTIFF
import PageModel
import Scratch

/// Reads a TIFF through libtiff: its tags one by one, and its samples as they are.
struct TIFFReader {
    struct Broken: Error {
        let why: String
    }

    private(set) var numbers: [UInt32: Int] = [:]
    private(set) var resolution: Resolution?
    private(set) var profile: [UInt8]?
    private(set) var extraSamples: [UInt16] = []
    private(set) var colors: [UInt8] = []
    let strips: Int
    /// The rows, 16-bit samples big-endian.
    private(set) var samples: [UInt8] = []

    init(_ file: [UInt8]) throws {
        let folder = try ScratchFolder()
        guard let tiff = TIFFOpen(try folder.write("picture.tif", file), "r") else { throw Broken(why: "open") }
        defer { TIFFClose(tiff) }
        func get(_ tag: CInt, _ pointers: any CVarArg...) -> Bool {
            withVaList(pointers) { TIFFVGetField(tiff, UInt32(tag), $0) } == 1
        }
        for tag in [TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH, TIFFTAG_ROWSPERSTRIP] {
            var value: UInt32 = 0
            if withUnsafeMutablePointer(to: &value, { get(tag, $0) }) { numbers[UInt32(tag)] = Int(value) }
        }
        for tag in [
            TIFFTAG_BITSPERSAMPLE, TIFFTAG_SAMPLESPERPIXEL, TIFFTAG_PHOTOMETRIC, TIFFTAG_COMPRESSION, TIFFTAG_PREDICTOR,
            TIFFTAG_RESOLUTIONUNIT, TIFFTAG_PLANARCONFIG,
        ] {
            var value: UInt16 = 0
            if withUnsafeMutablePointer(to: &value, { get(tag, $0) }) { numbers[UInt32(tag)] = Int(value) }
        }
        var (across, down): (Float, Float) = (0, 0)
        if withUnsafeMutablePointer(to: &across, { get(TIFFTAG_XRESOLUTION, $0) }),
            withUnsafeMutablePointer(to: &down, { get(TIFFTAG_YRESOLUTION, $0) })
        {
            resolution = Resolution(horizontal: Double(across), vertical: Double(down))
        }
        var (count, bytes): (UInt32, UnsafeMutablePointer<UInt8>?) = (0, nil)
        if withUnsafeMutablePointer(
            to: &count,
            { a in
                withUnsafeMutablePointer(to: &bytes) { get(TIFFTAG_ICCPROFILE, a, $0) }
            })
        {
            profile = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        var (extra, kinds): (UInt16, UnsafeMutablePointer<UInt16>?) = (0, nil)
        if withUnsafeMutablePointer(
            to: &extra,
            { a in
                withUnsafeMutablePointer(to: &kinds) { get(TIFFTAG_EXTRASAMPLES, a, $0) }
            })
        {
            extraSamples = Array(UnsafeBufferPointer(start: kinds, count: Int(extra)))
        }
        let bits = numbers[UInt32(TIFFTAG_BITSPERSAMPLE)] ?? 1
        var maps: [UnsafeMutablePointer<UInt16>?] = [nil, nil, nil]
        let isMapped = maps.withUnsafeMutableBufferPointer { maps in
            maps.baseAddress.map { get(TIFFTAG_COLORMAP, $0, $0 + 1, $0 + 2) } ?? false
        }
        if isMapped {
            colors = (0..<1 << bits).flatMap { index in maps.map { UInt8(($0?[index] ?? 0) >> 8) } }
        }
        strips = Int(TIFFNumberOfStrips(tiff))
        for strip in 0..<strips {
            var buffer = [UInt8](repeating: 0, count: Int(TIFFStripSize(tiff)))
            let count = TIFFReadEncodedStrip(tiff, UInt32(strip), &buffer, tmsize_t(buffer.count))
            guard count >= 0 else { throw Broken(why: "strip \(strip)") }
            samples += buffer.prefix(Int(count))
        }
        if bits == 16 {
            for index in stride(from: 0, to: samples.count, by: 2) { samples.swapAt(index, index + 1) }
        }
    }

    subscript(_ tag: CInt) -> Int? { numbers[UInt32(tag)] }
}
