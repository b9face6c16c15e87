package import PageModel

extension Raster {
    /// Returns a smaller gray raster of 8 bits for analyzing a page.
    ///
    /// Every `factor` by `factor` pixels are averaged into one; the last of a row or column may average fewer. Samples are
    /// averaged as they are stored, not in linear light, which is good enough for analysis but not for display. Transparent
    /// pixels are put on white.
    ///
    /// - Parameters:
    ///   - factor: at least 1.
    ///   - meaning: whether a sample represents brightness, or the amount of ink.
    package func reducedToGray(by factor: Int, _ meaning: SampleMeaning = .brightness) -> Raster {
        reduced(by: factor, meaning).raster
    }

    /// Returns the reduced raster, in color for `.color`, and for `.ink` the color of the paper if it is found.
    fileprivate func reduced(by factor: Int, _ meaning: SampleMeaning) -> (raster: Raster, paper: RGB?) {
        precondition(factor > 0)
        if case .gray(bits: 1) = format, Raster.bitFactors.contains(factor) { return (reducedBits(by: factor), nil) }
        let opaque = format.hasAlpha ? flattened(on: .white) : self
        switch meaning {
        case .brightness: return (opaque.gray().narrowed().widened().averaged(by: factor), nil)
        case .color: return (opaque.narrowed().widened().averagedColors(by: factor), nil)
        case .ink:
            let (ink, paper) = opaque.ink()
            return (ink.averaged(by: factor), paper)
        }
    }

    /// Returns samples of 8 bits, each channel reduced by a factor.
    private func averagedColors(by factor: Int) -> Raster {
        guard case .rgb(8) = format, factor > 1 else { return averaged(by: factor) }
        let planes = (0..<3).map { channel in
            samples.withUnsafeBufferPointer { input in
                averaged(by: factor) { row, columns in
                    var place = 3 &* (row &* size.width &+ columns.lowerBound) &+ channel
                    var sum = 0
                    for _ in columns {
                        sum &+= Int(input[place])
                        place &+= 3
                    }
                    return sum
                }
            }
        }
        let target = planes[0].size
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * target.area) { output, count in
            for (channel, plane) in planes.enumerated() {
                for (pixel, sample) in plane.samples.enumerated() { output[3 &* pixel &+ channel] = sample }
            }
            count = 3 * target.area
        }
        return Raster(size: target, format: .rgb(bits: 8), samples: bytes)
    }

    /// Returns gray of 8 bits reduced by a factor.
    private func averaged(by factor: Int) -> Raster {
        guard factor > 1 else { return self }
        return samples.withUnsafeBufferPointer { input in
            averaged(by: factor) { row, columns in
                let first = row &* size.width
                var sum = 0
                for column in columns { sum &+= Int(input[first &+ column]) }
                return sum
            }
        }
    }

    /// The factors for which the averaged pixels fit into a word at any bit offset in a byte.
    private static let bitFactors = 2...57

    /// Reduces one bit a pixel, counted a word at a time.
    ///
    /// Unpacking a page of 600 dpi takes several times as long as the rest of its analysis.
    private func reducedBits(by factor: Int) -> Raster {
        let (bytesPerRow, counts) = (bytesPerRow, (0...255).map { UInt8($0.nonzeroBitCount) })
        return samples.withUnsafeBytes { input in
            averaged(by: factor) { row, columns in
                let first = columns.lowerBound
                let word = Raster.word(input, at: row &* bytesPerRow &+ first >> 3)
                let pixels = (word &<< UInt64(first & 7)) &>> UInt64(64 &- columns.count)
                // Processors count bits faster than a table does, but not every processor has the instruction.
                let whites = factor <= 8 ? Int(counts[Int(truncatingIfNeeded: pixels)]) : pixels.nonzeroBitCount
                return 255 &* whites
            }
        }
    }

    /// Returns the averages of every `factor` by `factor` pixels, as gray of 8 bits.
    ///
    /// - Parameter sum: the sum of some columns of a row. White counts as 255.
    @inline(__always)
    private func averaged(by factor: Int, sum: (_ row: Int, _ columns: Range<Int>) -> Int) -> Raster {
        let target = size.reduced(by: factor)
        let samples = [UInt8](unsafeUninitializedCapacity: target.area) { output, count in
            var sums = [Int](repeating: 0, count: target.width)
            for y in 0..<target.height {
                let rows = y * factor..<min((y + 1) * factor, size.height)
                for x in 0..<target.width { sums[x] = 0 }
                for row in rows {
                    for x in 0..<target.width {
                        let first = x &* factor
                        sums[x] &+= sum(row, first..<min(first &+ factor, size.width))
                    }
                }
                for x in 0..<target.width {
                    let pixels = rows.count * min(factor, size.width - x * factor)
                    output[y * target.width + x] = UInt8((sums[x] + pixels / 2) / pixels)
                }
            }
            count = target.area
        }
        return Raster(size: target, format: .gray(bits: 8), samples: samples)
    }

    /// Returns eight bytes, the first of them highest; 0 for those beyond the end.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
        if place + 8 <= bytes.count {
            return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        return (place..<place + 8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
    }
}

extension DecodedImage {
    /// Returns the image reduced, in grayscale unless the meaning keeps colors; its resolution stays that of the whole image.
    package func reduced(by factor: Int, as meaning: SampleMeaning) -> DecodedImage {
        var copy = self
        (copy.raster, copy.paper) = raster.reduced(by: factor, meaning)
        copy.raster.resolution = raster.resolution
        return copy
    }
}
