public import PageModel

extension RGB {
    /// The level of each component of a JPEG that shows this colour (JFIF 1.02, ITU-T T.872); nil for a colour where
    /// the JPEG is gray, and for unusual components.
    public func levels(in header: JPEGHeader) -> [UInt8]? {
        let colors = [red, green, blue]
        switch header.components.count {
        case 1: return isGray ? [red] : nil
        case 3: return header.hasRGBComponents ? colors : RGB.lumaAndChroma(colors)
        case 4:
            // Gray by black ink alone, other colours by the others. Adobe's programs store 255 for no ink.
            let inks = isGray ? [255, 255, 255, red] : colors + [255]
            guard let transform = header.adobeTransform else { return inks.map { 255 - $0 } }
            // YCCK is made of what is left when each ink is taken from 255.
            return transform == 2 ? RGB.lumaAndChroma(inks.prefix(3).map { 255 - $0 }) + [inks[3]] : inks
        default: return nil
        }
    }

    private static func lumaAndChroma(_ colors: [UInt8]) -> [UInt8] {
        let (r, g, b) = (Double(colors[0]), Double(colors[1]), Double(colors[2]))
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        return [luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128].map {
            UInt8(max(0, min(255, $0.rounded())))
        }
    }
}
