package import PageModel

/// An encoder for black and white as JBIG2 (ITU-T T.88) without loss: one generic region, as PDFs contain it.
///
/// Similar letters do not become one symbol, which could exchange them without a report.
package enum JBIG2Encoder {
    /// Encodes rows of one bit a pixel, 0 for black; pixels of index 0 count as black.
    ///
    /// - Returns: a page without a file header; nil if the samples have more than one bit.
    package static func encode(_ raster: Raster) -> [UInt8]? {
        guard raster.format.bitsPerPixel == 1, raster.size.area > 0 else { return nil }
        let size = Fields.number(raster.size.width) + Fields.number(raster.size.height)
        // The resolution is unknown, the page is lossless and has no stripes.
        let page = size + Fields.number(0) + Fields.number(0) + [1, 0, 0]
        let place = Fields.number(0) + Fields.number(0)
        // The large template, with rows that may be equal to the one above.
        let region = size + place + [0, 1 << 3] + adaptive + region(raster)
        return Fields.segment(0, type: 48, page) + Fields.segment(1, type: 39, region)
    }

    private static let template = JBIG2GenericRegion.Template.large

    /// The usual places of the adaptive pixels.
    private static var adaptive: [UInt8] {
        template.adaptive.flatMap { [UInt8(truncatingIfNeeded: $0.x), UInt8(truncatingIfNeeded: $0.y)] }
    }

    private static func region(_ raster: Raster) -> [UInt8] {
        var encoder = JBIG2ArithmeticEncoder()
        var contexts = [UInt8](repeating: 0, count: JBIG2GenericRegion.Template.contextCount)
        let (width, stride) = (raster.size.width, (raster.size.width + 7) / 8)
        // A row has white pixels around it, which the template reaches.
        let white = [UInt8](repeating: 0, count: width + 2 * margin)
        var (second, first, own) = (white, white, white)
        var wasEqual = false
        for y in 0..<raster.size.height {
            (second, first, own) = (first, own, second)
            if y == 0 { (second, first) = (white, white) }
            raster.samples.withUnsafeBufferPointer { samples in
                for x in 0..<width {
                    own[x + margin] = ~samples[y &* stride &+ x &>> 3] &>> UInt8(7 &- x & 7) & 1
                }
            }
            let isEqual = own == first
            encoder.encode(isEqual == wasEqual ? 0 : 1, &contexts[template.equalityContext])
            wasEqual = isEqual
            if !isEqual { encode(own, below: first, second, width, &encoder, &contexts) }
        }
        return encoder.finished()
    }

    /// The number of white pixels on each side of a row.
    private static let margin = 4

    /// Encodes a row by the 16 pixels of the large template around each pixel.
    private static func encode(
        _ own: [UInt8], below first: [UInt8], _ second: [UInt8], _ width: Int, _ encoder: inout JBIG2ArithmeticEncoder,
        _ contexts: inout [UInt8]
    ) {
        own.withUnsafeBufferPointer { own in
            first.withUnsafeBufferPointer { first in
                second.withUnsafeBufferPointer { second in
                    contexts.withUnsafeMutableBufferPointer { contexts in
                        var high = Int(second[margin]) &<< 1 | Int(second[margin + 1])
                        var middle = Int(first[margin]) &<< 2 | Int(first[margin + 1]) &<< 1 | Int(first[margin + 2])
                        var low = 0
                        for x in margin..<margin + width {
                            high = (high &<< 1 | Int(second[x &+ 2])) & 0x1F
                            middle = (middle &<< 1 | Int(first[x &+ 3])) & 0x7F
                            encoder.encode(own[x], &contexts[high &<< 11 | middle &<< 4 | low])
                            low = (low &<< 1 | Int(own[x])) & 0xF
                        }
                    }
                }
            }
        }
    }

    /// The big-endian fields of JBIG2.
    private enum Fields {
        static func number(_ value: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        /// Returns a segment of page 1 that refers to no other (7.2).
        static func segment(_ number: Int, type: UInt8, _ data: [UInt8]) -> [UInt8] {
            self.number(number) + [type, 0, 1] + self.number(data.count) + data
        }
    }
}
