package import PageModel

extension Raster {
    /// Returns the raster rotated, mirrored and cropped by a framing. No sample changes its value.
    ///
    /// - Precondition: the framing is of an image of this size.
    package func framed(_ framing: Framing) -> Raster {
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
        return remade(target, samples, orientation.isTransposed ? resolution?.rotated(quarters: 1) : resolution)
    }

    private func remade(_ size: PixelSize, _ samples: [UInt8], _ resolution: Resolution?) -> Raster {
        Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    /// Returns the sources of the oriented raster's pixels, with pixels numbered `row * stride + column`.
    ///
    /// The result is the source pixel of (0, 0), and the increments for each step right and each step down.
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

extension Raster {
    /// Returns some of the rows, counted from the top from 0.
    package func rows(_ range: Range<Int>) -> Raster {
        if range == 0..<size.height { return self }
        let part = samples[range.lowerBound * bytesPerRow..<range.upperBound * bytesPerRow]
        return Raster(
            size: PixelSize(width: size.width, height: range.count), format: format, samples: Array(part),
            resolution: resolution, iccProfile: iccProfile)
    }

    /// Returns some of the columns, counted from the left from 0.
    package func columns(_ range: Range<Int>) -> Raster {
        cropped(to: PixelRect(x: range.lowerBound, y: 0, width: range.count, height: size.height))
    }
}

extension Raster {
    /// Returns one raster of `size`, composed of parts. The `x` and `y` of a part are the place of its top left corner, in
    /// pixels. The background is the color outside the parts.
    ///
    /// The result has the smallest format that holds every sample and the background. Colors are not converted: it has the
    /// profile of the first part.
    ///
    /// - Precondition: `parts` is not empty, and every part is within `size`.
    package static func composed(
        _ parts: [(raster: Raster, x: Int, y: Int)], size: PixelSize, background: RGB
    ) -> Raster {
        precondition(!parts.isEmpty)
        let covered = parts.reduce(0) { $0 + $1.raster.size.area }
        var parts = parts
        var index: UInt8?
        if parts.count == 1, covered < size.area, let entry = parts[0].raster.withPaletteEntry(for: background) {
            (parts[0].raster, index) = (entry.raster, entry.index)
        }
        var format = parts.dropFirst().reduce(parts[0].raster.format) { $0.joined(with: $1.raster.format) }
        if covered < size.area {
            if format.isPalette && index == nil || !background.isGray && !format.hasColor {
                format = format.joined(with: .rgb(bits: 8))
            }
            if format.bitsPerSample < 8, background != .white, background != .black {
                format = format.joined(with: .gray(bits: 8))
            }
        }
        if format.isPalette, parts.count > 1 { format = format.joined(with: .rgb(bits: 8)) }
        let stride = Raster.bytesPerRow(width: size.width, format: format)
        let pixel = index.map { [$0] } ?? background.pixel(in: format)
        var samples = [UInt8](repeating: 0, count: stride * size.height)
        samples.withUnsafeMutableBufferPointer { samples in
            if format.bitsPerPixel < 8 {
                samples.update(repeating: pixel[0])
            } else {
                for start in Swift.stride(from: 0, to: stride, by: pixel.count) {
                    for (offset, byte) in pixel.enumerated() { samples[start + offset] = byte }
                }
                for row in Swift.stride(from: stride, to: samples.count, by: stride) {
                    for offset in 0..<stride { samples[row + offset] = samples[offset] }
                }
            }
            for part in parts {
                part.raster.widened(to: format).copy(into: samples, stride: stride, x: part.x, y: part.y)
            }
        }
        return Raster(
            size: size, format: format, samples: samples, resolution: parts[0].raster.resolution,
            iccProfile: parts[0].raster.iccProfile)
    }

    /// - Parameter stride: the bytes of a row of `target`.
    private func copy(into target: UnsafeMutableBufferPointer<UInt8>, stride: Int, x: Int, y: Int) {
        let bits = format.bitsPerPixel
        samples.withUnsafeBufferPointer { source in
            for row in 0..<size.height {
                let (from, to) = (row * bytesPerRow, (y + row) * stride)
                if (x * bits).isMultiple(of: 8), (size.width * bits).isMultiple(of: 8) {
                    let start = to + x * bits / 8
                    for offset in 0..<bytesPerRow { target[start + offset] = source[from + offset] }
                    continue
                }
                for column in 0..<size.width {
                    let (here, there) = (column * bits, (x + column) * bits)
                    let mask = UInt8((1 << bits) - 1)
                    let value = source[from + here / 8] >> UInt8(8 - bits - here % 8) & mask
                    let shift = UInt8(8 - bits - there % 8)
                    target[to + there / 8] = target[to + there / 8] & ~(mask << shift) | value << shift
                }
            }
        }
    }
}

extension RGB {
    /// Returns the bytes of an opaque pixel of this color; for a format with less than 8 bits, a byte full of pixels.
    fileprivate func pixel(in format: PixelFormat) -> [UInt8] {
        // A gray format is chosen only for gray.
        let levels = format.hasColor ? [red, green, blue] : [red]
        if format.bitsPerPixel < 8 || format.isPalette { return [self == .black ? 0 : 255] }
        let samples = levels + (format.hasAlpha ? [255] : [])
        // 8 bits become 16 by doubling the byte: 255 is 65535.
        return format.bitsPerSample == 16 ? samples.flatMap { [$0, $0] } : samples
    }
}

extension [UInt8] {
    /// Copies a raster into these samples of another raster of the same format. Its top left corner is put at `x` and `y`.
    ///
    /// - Parameter width: the other raster's width in pixels.
    /// - Precondition: `raster` fits there. Its pixels are whole bytes.
    package mutating func lay(_ raster: Raster, x: Int, y: Int, width: Int) {
        let row = Raster.bytesPerRow(width: width, format: raster.format)
        let first = x * raster.format.bitsPerPixel / 8
        let count = raster.bytesPerRow
        precondition(raster.format.bitsPerPixel.isMultiple(of: 8))
        precondition(first + count <= row && (y + raster.size.height) * row <= self.count)
        withUnsafeMutableBufferPointer { target in
            raster.samples.withUnsafeBufferPointer { source in
                guard let target = target.baseAddress, let source = source.baseAddress else { return }
                for line in 0..<raster.size.height {
                    (target + (y + line) * row + first).update(from: source + line * count, count: count)
                }
            }
        }
    }
}
