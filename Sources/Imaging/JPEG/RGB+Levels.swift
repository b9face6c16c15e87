public import PageModel

extension RGB {
    /// The level of each component of a JPEG that shows this colour (JFIF 1.02); nil for a colour where the JPEG is
    /// gray.
    public func levels(in header: JPEGHeader) -> [UInt8]? {
        if header.hasRGBComponents { return [red, green, blue] }
        let (r, g, b) = (Double(red), Double(green), Double(blue))
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        let values: [Double]
        switch header.components.count {
        case 1 where isGray: values = [luma]
        case 3: values = [luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128]
        default: return nil
        }
        return values.map { UInt8(max(0, min(255, $0.rounded()))) }
    }
}
