/// The samples of a gray image, and the pixels of it that dithering must keep.
struct GrayLines {
    let samples: UnsafeBufferPointer<UInt8>
    let width: Int
    let height: Int

    /// Whether a pixel belongs to a line of one pixel: it differs from both neighbors across, but not along. A dot differs
    /// in both directions.
    @inline(__always) func isLine(_ x: Int, _ y: Int, _ place: Int) -> Bool {
        let differsAside = x > 0 && x < width &- 1 && differs(place, 1)
        return differsAside != (y > 0 && y < height &- 1 && differs(place, width))
    }

    @inline(__always) private func differs(_ place: Int, _ step: Int) -> Bool {
        GrayLines.differs(samples[place], samples[place &- step], samples[place &+ step])
    }

    /// Whether eight pixels from `x` on are all black or all white.
    @inline(__always) func arePlain(_ x: Int, _ y: Int) -> Bool {
        let pixels = UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: y &* width &+ x, as: UInt64.self)
        return pixels == 0 || pixels == .max
    }

    /// Writes, for each pixel of a line, the largest of its sample and those of its neighbors, and 0 for lines of one pixel.
    ///
    /// All numbers have 8 bits, so that the loop becomes vector code.
    func writeBrightest(_ y: Int, into brightest: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = samples.baseAddress, width > 2 else { return brightest.update(repeating: 255) }
        let line = start + y * width
        let (above, below) = (y > 0 ? line - width : line, y < height - 1 ? line + width : line)
        for x in 1..<width &- 1 {
            let (value, left, right) = (line[x], line[x &- 1], line[x &+ 1])
            let (up, down) = (above[x], below[x])
            let differsAside = GrayLines.differs(value, left, right)
            let differsAlong = GrayLines.differs(value, up, down)
            let largest = max(value, max(max(left, right), max(up, down)))
            brightest[x] = differsAside != differsAlong ? 0 : largest
        }
        for (x, next) in [(0, 1), (width - 1, width - 2)] {
            let largest = max(max(line[x], line[next]), max(above[x], below[x]))
            brightest[x] = GrayLines.differs(line[x], above[x], below[x]) ? 0 : largest
        }
    }

    @inline(__always) private static func differs(_ value: UInt8, _ one: UInt8, _ other: UInt8) -> Bool {
        let darker = max(min(one, other), value) &- value
        return max(darker, value &- min(max(one, other), value)) > contrast
    }

    /// Whether a sample counts as white or black.
    static func isPlain(_ sample: Int) -> Bool { sample <= plainRange || sample >= 255 - plainRange }

    /// The difference up to which a sample counts as white or black: the noise of paper in a JPEG.
    private static let plainRange = 3
    /// The difference of a line from its neighbors, in samples: three of 16 levels.
    private static let contrast: UInt8 = 51
}
