internal import CTIFF
internal import PageModel

/// The tags of a TIFF's current directory.
struct TIFFFields {
    private let tiff: OpaquePointer

    init(_ tiff: OpaquePointer) {
        self.tiff = tiff
    }

    /// A number that libtiff keeps in 16 bits; 0 when there is none.
    func short(_ tag: CInt) -> Int {
        var value: UInt16 = 0
        return get(tag, &value) ? Int(value) : 0
    }

    /// A number that libtiff keeps in 32 bits; 0 when there is none.
    func long(_ tag: CInt) -> Int {
        var value: UInt32 = 0
        return get(tag, &value) ? Int(value) : 0
    }

    /// What the samples are that do not belong to the colours.
    var extraSamples: [UInt16] {
        var count: UInt16 = 0
        var kinds: UnsafeMutablePointer<UInt16>?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &kinds) { kinds in get(TIFFTAG_EXTRASAMPLES, [count, kinds]) }
        }
        guard isFound, let kinds else { return [] }
        return Array(UnsafeBufferPointer(start: kinds, count: Int(count)))
    }

    /// The colour table in bytes.
    func palette(bits: Int) -> [UInt8]? {
        var parts = [UnsafeMutablePointer<UInt16>?](repeating: nil, count: 3)
        let isFound = parts.withUnsafeMutableBufferPointer { parts in
            parts.baseAddress.map { get(TIFFTAG_COLORMAP, [$0, $0 + 1, $0 + 2]) } ?? false
        }
        guard isFound, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        let values = (0..<1 << bits).flatMap { [red[$0], green[$0], blue[$0]] }
        // The levels have 16 bits. Some old writers give bytes; libtiff takes a table without any high byte for one.
        let isDeep = values.contains { $0 > 255 }
        return values.map { UInt8(truncatingIfNeeded: isDeep ? $0 >> 8 : $0) }
    }

    var resolution: Resolution? {
        var (across, down): (Float, Float) = (0, 0)
        guard get(TIFFTAG_XRESOLUTION, &across), get(TIFFTAG_YRESOLUTION, &down), across > 0, down > 0,
            across.isFinite, down.isFinite
        else { return nil }
        let perInch = [Int(RESUNIT_INCH): 1, Int(RESUNIT_CENTIMETER): 2.54][short(TIFFTAG_RESOLUTIONUNIT)]
        return perInch.map { Resolution(horizontal: Double(across) * $0, vertical: Double(down) * $0) }
    }

    var iccProfile: [UInt8]? {
        var count: UInt32 = 0
        var bytes: UnsafeMutableRawPointer?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &bytes) { bytes in get(TIFFTAG_ICCPROFILE, [count, bytes]) }
        }
        guard isFound, let bytes else { return nil }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// - Precondition: `Value` is what libtiff keeps the tag in (TIFFGetField(3)).
    private func get<Value>(_ tag: CInt, _ value: inout Value) -> Bool {
        withUnsafeMutablePointer(to: &value) { get(tag, [$0]) }
    }

    private func get(_ tag: CInt, _ values: [any CVarArg]) -> Bool {
        withVaList(values) { TIFFVGetFieldDefaulted(tiff, UInt32(tag), $0) } == 1
    }
}
