public import PageModel

extension JPEGHeader {
    /// The pixels of an MCU (ITU-T T.81, A.2), where the picture can be cut along them without being decoded; nil for
    /// kinds of JPEG that libjpeg-turbo does not read.
    ///
    /// A picture of one component is stored block by block, whatever its sampling factors are.
    public var grid: PixelSize? {
        let isKnown: [Frame] = [.baseline, .extended, .progressive, .arithmeticSequential, .arithmeticProgressive]
        guard isKnown.contains(frame), precision == 8, size != nil, [1, 3, 4].contains(components.count) else {
            return nil
        }
        if components.count == 1 { return PixelSize(width: 8, height: 8) }
        return PixelSize(
            width: 8 * (components.map(\.horizontal).max() ?? 1), height: 8 * (components.map(\.vertical).max() ?? 1))
    }
}
