internal import PageModel

/// The color of the paper along the four edges of a raster, as linear light.
///
/// An edge is analyzed in pieces twice as deep as the part that scanners darken. The lighter half of a piece's pixels counts,
/// without its lightest ones. This excludes print, a dark edge and a reflection.
struct EdgePaper {
    private let size: PixelSize
    private let channels: Int
    /// For each piece of the left, top, right and bottom edge, its channels.
    private var pieces: [[[Float]]] = []

    /// The minimum length of a piece, in pixels.
    private static let length = 32
    /// The depth of a piece, in hundredths of the shorter side.
    private static let depth = 8
    private static let minimumDepth = 4
    /// The range of a piece's pixels that counts, as fractions from the darkest on.
    private static let counted = (from: 0.5, to: 0.9)

    /// - Parameter samples: the samples of the raster, of 8 or 16 bits.
    init(_ raster: Raster, _ samples: UnsafeBufferPointer<UInt8>) {
        size = raster.size
        let light = LightSamples(raster.format)
        channels = light.channels
        let (width, height) = (size.width, size.height)
        let depth = max(EdgePaper.minimumDepth, min(width, height) * EdgePaper.depth / 100)
        let (across, down) = (min(depth, width), min(depth, height))
        let sides = [
            (0..<across, 0..<height), (0..<width, 0..<down), (width - across..<width, 0..<height),
            (0..<width, height - down..<height),
        ]
        let line = UnsafeMutablePointer<Float>.allocate(capacity: width * channels)
        defer { line.deallocate() }
        let planes = (0..<channels).map { UnsafeMutableRawPointer(line + $0 * width) }
        pieces = sides.enumerated().map { index, side in
            let (columns, rows) = side
            let isUpright = index.isMultiple(of: 2)
            let along = isUpright ? rows.count : columns.count
            var pixels = [[[Float]]](repeating: [], count: max(1, along / EdgePaper.length))
            // Every third pixel of every third row is enough.
            for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: 3) {
                light.read(samples, width: width, row: row, columns: columns, into: planes)
                for column in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: 3) {
                    let piece = (isUpright ? row : column) * pixels.count / along
                    pixels[piece].append((0..<channels).map { line[$0 * width + column] })
                }
            }
            var edge = pixels.map { EdgePaper.paper($0, channels) }
            // Paper may be entirely missing where two dark edges meet.
            if let next = edge.dropFirst().first { edge[0] = EdgePaper.lighter(edge[0], next) }
            if let next = edge.dropLast().last { edge[edge.count - 1] = EdgePaper.lighter(edge[edge.count - 1], next) }
            return edge
        }
    }

    private static func paper(_ pixels: [[Float]], _ channels: Int) -> [Float] {
        let sorted = pixels.sorted { $0.reduce(0, +) < $1.reduce(0, +) }
        func place(_ share: Double) -> Int {
            Int(clamping: (Double(sorted.count) * share).rounded(.down), to: 0...sorted.count)
        }
        let first = place(counted.from)
        let lighter = sorted[first..<max(first + 1, place(counted.to))]
        return (0..<channels).map { channel in
            lighter.reduce(0) { $0 + $1[channel] } / Float(lighter.count)
        }
    }

    private static func lighter(_ one: [Float], _ other: [Float]) -> [Float] {
        one.reduce(0, +) < other.reduce(0, +) ? other : one
    }

    /// Writes the color for a place outside the raster, one value for each channel, at the given stride.
    func fill(_ x: Double, _ y: Double, _ pixel: UnsafeMutablePointer<Float>, stride: Int) {
        // The edge that the place is furthest beyond.
        let beyond = [-x, -y, x - Double(size.width - 1), y - Double(size.height - 1)]
        var side = 0
        for index in 1..<4 where beyond[index] > beyond[side] { side = index }
        let edge = pieces[side]
        let length = Double(side.isMultiple(of: 2) ? size.height : size.width)
        let along = (side.isMultiple(of: 2) ? y : x) / length * Double(edge.count) - 0.5
        let place = min(max(along, 0), Double(edge.count - 1))
        let first = Int(place)
        let next = min(first + 1, edge.count - 1)
        let part = Float(place - Double(first))
        for channel in 0..<channels {
            pixel[channel * stride] = edge[first][channel] * (1 - part) + edge[next][channel] * part
        }
    }
}
