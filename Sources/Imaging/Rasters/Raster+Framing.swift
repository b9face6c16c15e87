public import PageModel

extension Raster {
    /// The raster laid down and cut as a framing says. No sample changes its value.
    ///
    /// - Precondition: the framing is of a picture of this size.
    public func framed(_ framing: Framing) -> Raster {
        precondition(framing.source == size)
        return oriented(framing.orientation).cropped(to: framing.rect)
    }

    func cropped(to rect: PixelRect) -> Raster {
        precondition(rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0)
        precondition(rect.x + rect.width <= size.width && rect.y + rect.height <= size.height)
        if rect.size == size { return self }
        let bits = format.bitsPerPixel
        let target = Raster.bytesPerRow(width: rect.width, format: format)
        let first = rect.x * bits / 8
        let shift = rect.x * bits % 8
        var rows: [UInt8] = []
        rows.reserveCapacity(target * rect.height)
        for y in rect.y..<rect.y + rect.height {
            let row = samples[y * bytesPerRow..<(y + 1) * bytesPerRow]
            let start = row.startIndex + first
            if shift == 0 {
                rows.append(contentsOf: row[start..<start + target])
            } else {
                for x in start..<start + target {
                    let next = x + 1 < row.endIndex ? row[x + 1] : 0
                    rows.append(row[x] << UInt8(shift) | next >> UInt8(8 - shift))
                }
            }
        }
        return remade(rect.size, rows, resolution)
    }

    private func oriented(_ orientation: Orientation) -> Raster {
        if orientation == .upright { return self }
        let target = orientation.applied(to: size)
        let samples =
            format.bitsPerPixel >= 8 ? orientedBytes(target, orientation) : orientedBits(target, orientation)
        return remade(target, samples, orientation.isTransposed ? resolution?.turned(quarters: 1) : resolution)
    }

    private func remade(_ size: PixelSize, _ samples: [UInt8], _ resolution: Resolution?) -> Raster {
        Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    /// Where the pixels of the laid-down raster come from: the source pixel of (0, 0), and what to add to it for each
    /// step right and each step down, with pixels numbered `row * stride + column`.
    private func walk(_ orientation: Orientation, stride: Int) -> (origin: Int, right: Int, down: Int) {
        let target = orientation.applied(to: size)
        var (right, down) = orientation.isTransposed ? (stride, 1) : (1, stride)
        var origin = 0
        if orientation.isMirroredAcross {
            origin += (target.width - 1) * right
            right = -right
        }
        if orientation.isMirroredDown {
            origin += (target.height - 1) * down
            down = -down
        }
        return (origin, right, down)
    }

    private func orientedBytes(_ target: PixelSize, _ orientation: Orientation) -> [UInt8] {
        let step = format.bitsPerPixel / 8
        let (origin, right, down) = walk(orientation, stride: size.width)
        let total = target.area * step
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { input in
                var index = 0
                for y in 0..<target.height {
                    var source = (origin + y * down) * step
                    for _ in 0..<target.width {
                        for byte in 0..<step { output[index + byte] = input[source + byte] }
                        index += step
                        source += right * step
                    }
                }
            }
            count = total
        }
    }

    private func orientedBits(_ target: PixelSize, _ orientation: Orientation) -> [UInt8] {
        let bits = format.bitsPerPixel
        let mask = UInt8((1 << bits) - 1)
        let perByte = 8 / bits
        let (origin, right, down) = walk(orientation, stride: bytesPerRow * perByte)
        let targetRow = Raster.bytesPerRow(width: target.width, format: format)
        var output = [UInt8](repeating: 0, count: targetRow * target.height)
        output.withUnsafeMutableBufferPointer { output in
            samples.withUnsafeBufferPointer { input in
                for y in 0..<target.height {
                    var source = origin + y * down
                    var index = y * targetRow
                    var shift = 8 - bits
                    for _ in 0..<target.width {
                        let from = 8 - bits - source % perByte * bits
                        output[index] |= (input[source / perByte] >> UInt8(from) & mask) << UInt8(shift)
                        source += right
                        if shift == 0 {
                            shift = 8
                            index += 1
                        }
                        shift -= bits
                    }
                }
            }
        }
        return output
    }
}
