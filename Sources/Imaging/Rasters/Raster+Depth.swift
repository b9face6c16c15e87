internal import CZimg
public import PageModel

extension Raster {
    /// The raster in gray of 1, 2 or 4 bits, the differences spread over the neighbours (Floyd and Steinberg).
    ///
    /// What has no more bits than that is returned as it is.
    ///
    /// - Precondition: the raster is gray without alpha; see `gray()`.
    public func dithered(toBits bits: Int) -> Raster {
        guard case .gray(let depth) = format, [1, 2, 4].contains(bits) else {
            preconditionFailure("only gray can be dithered, to 1, 2 or 4 bits")
        }
        if depth <= bits { return self }
        let wide = widened()
        let isWide = depth == 16
        var source = ZimgGraph.format(size, isWide ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE, like: wide.format)
        var target = ZimgGraph.format(size, ZIMG_PIXEL_BYTE, like: wide.format)
        source.depth = isWide ? 16 : 8
        target.depth = UInt32(bits)
        var parameters = ZimgGraph.parameters()
        parameters.dither_type = ZIMG_DITHER_ERROR_DIFFUSION
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: bits))
        let width = size.width
        let samples = [UInt8](unsafeUninitializedCapacity: row * size.height) { buffer, count in
            let output = buffer
            output.initialize(repeating: 0)
            wide.samples.withUnsafeBufferPointer { input in
                do throws(PictureFault) {
                    try ZimgGraph(from: source, to: target, parameters).run { y, columns, planes in
                        if isWide {
                            let plane = planes[0].assumingMemoryBound(to: UInt16.self)
                            for x in columns {
                                let index = 2 * (y * width + x)
                                plane[x] = UInt16(input[index]) << 8 | UInt16(input[index + 1])
                            }
                        } else {
                            let plane = planes[0].assumingMemoryBound(to: UInt8.self)
                            for x in columns { plane[x] = input[y * width + x] }
                        }
                    } empty: { y, columns, planes in
                        let plane = planes[0].assumingMemoryBound(to: UInt8.self)
                        for x in columns {
                            output[y * row + x * bits / 8] |= plane[x] << UInt8(8 - bits - x * bits % 8)
                        }
                    }
                } catch {
                    // Between these depths zimg can always convert, so only memory can be lacking: where Swift's own
                    // arrays trap as well.
                    fatalError(error.message)
                }
            }
            count = row * size.height
        }
        return Raster(
            size: size, format: .gray(bits: bits), samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    /// The raster in gray of 1, 2 or 4 bits if it is gray of 8 and those can tell all its tones; otherwise itself.
    public func withoutNeedlessDepth() -> Raster {
        guard case .gray(bits: 8) = format else { return self }
        let bits = samples.withUnsafeBufferPointer { samples in
            var bits = 1
            for sample in samples {
                while sample % Raster.step(bits) != 0 { bits *= 2 }
                if bits == 8 { return bits }
            }
            return bits
        }
        if bits == 8 { return self }
        let step = Raster.step(bits)
        let perByte = 8 / bits
        let packed = [UInt8](
            unsafeUninitializedCapacity: Raster.bytesPerRow(width: size.width, format: .gray(bits: bits)) * size.height
        ) { output, count in
            samples.withUnsafeBufferPointer { samples in
                for y in 0..<size.height {
                    for start in stride(from: y * size.width, to: (y + 1) * size.width, by: perByte) {
                        var byte: UInt8 = 0
                        for index in start..<start + perByte {
                            let sample = index < (y + 1) * size.width ? samples[index] : 0
                            byte = byte << UInt8(bits) | sample / step
                        }
                        output[count] = byte
                        count += 1
                    }
                }
            }
        }
        return Raster(
            size: size, format: .gray(bits: bits), samples: packed, resolution: resolution, iccProfile: iccProfile)
    }

    /// How far apart the tones of so many bits are, on the scale of 8.
    private static func step(_ bits: Int) -> UInt8 {
        switch bits {
        case 1: 255
        case 2: 85
        case 4: 17
        default: 1
        }
    }
}
