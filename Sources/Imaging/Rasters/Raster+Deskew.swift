internal import Glibc
public import PageModel

extension Raster {
    /// Returns the raster rotated clockwise about its middle by a few degrees, at the same size.
    ///
    /// Pixels are interpolated in linear light from 4 by 4 neighbours, with the cubic of Catmull and Rom ("A class of local
    /// interpolating splines", 1974); samples are taken for sRGB, as when a raster is scaled. Pixels that come from outside
    /// get the colour of the paper at the nearest edge. Samples of less than 8 bits become 8 bits, and palettes RGB.
    ///
    /// - Parameter degrees: from −45 to 45; negative to rotate counter-clockwise.
    public func deskewed(by degrees: Double) -> Raster {
        precondition(abs(degrees) <= 45)
        if degrees == 0 || size.area == 0 { return self }
        let source = widened()
        let total = Raster.bytesPerRow(width: size.width, format: source.format) * size.height
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            source.samples.withUnsafeBufferPointer { input in
                let turning = Turning(source, input, degrees * .pi / 180)
                for row in 0..<size.height { turning.write(row, into: output) }
            }
            count = total
        }
        return source.with(source.format, samples)
    }
}

/// A raster being turned, row by row: of the source only the rows that a row of the result crosses are kept as light.
private final class Turning {
    private let samples: UnsafeBufferPointer<UInt8>
    private let (width, height): (Int, Int)
    private let (sine, cosine): (Double, Double)
    private let light: LightSamples
    private let paper: EdgePaper
    private let channels: Int
    /// The rows at hand, of each channel `room` of them, row by row in a ring.
    private let rows: UnsafeMutablePointer<Float>
    private let stride: Int
    private let room: Int
    private var loaded = 0
    /// A row of the result, channel by channel.
    private let line: UnsafeMutablePointer<Float>

    /// What a row is longer by on either side, so that every pixel has its neighbours.
    private static let pad = 2

    init(_ raster: Raster, _ samples: UnsafeBufferPointer<UInt8>, _ angle: Double) {
        self.samples = samples
        (width, height) = (raster.size.width, raster.size.height)
        (sine, cosine) = (sin(angle), cos(angle))
        light = LightSamples(raster.format)
        paper = EdgePaper(raster, samples)
        channels = light.channels
        stride = width + 2 * Turning.pad
        room = Int(clamping: (Double(width) * abs(sine)).rounded(.up) + 6, to: 0...height)
        rows = .allocate(capacity: stride * room * channels)
        line = .allocate(capacity: width * channels)
    }

    deinit {
        rows.deallocate()
        line.deallocate()
    }

    func write(_ y: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
        let middle = (x: Double(width - 1) / 2, y: Double(height - 1) / 2)
        let down = Double(y) - middle.y
        // Where the row's first pixel comes from; each further one lies `cosine` to the right and `sine` above.
        let u = middle.x - middle.x * cosine + down * sine
        let v = middle.y + middle.x * sine + down * cosine
        let inside = Turning.span(u, cosine, width, 0..<width)
        let columns = Turning.span(v, -sine, height, inside)
        load(upTo: Int(clamping: max(v, v - Double(width - 1) * sine).rounded(.down) + 2, to: -1...height - 1))
        for x in 0..<width where !columns.contains(x) {
            paper.fill(u + Double(x) * cosine, v - Double(x) * sine, line + x, stride: width)
        }
        interpolate(columns, u, v)
        light.write(
            (0..<channels).map { UnsafeMutableRawPointer(line + $0 * width) }, columns: 0..<width, into: output,
            width: width, row: y)
    }

    private func interpolate(_ columns: Range<Int>, _ u: Double, _ v: Double) {
        var row = Int.min
        var places = (0, 0, 0, 0)
        for x in columns {
            // Never less than -0.5: what is cut off after adding 1 rounds down.
            let (across, down) = (u + Double(x) * cosine, v - Double(x) * sine)
            let (column, next) = (Int(across + 1) - 1, Int(down + 1) - 1)
            if next != row {
                row = next
                places = (place(row - 1), place(row), place(row + 1), place(row + 2))
            }
            let weightsAcross = Turning.weights(Float(across - Double(column)))
            let weightsDown = Turning.weights(Float(down - Double(row)))
            for channel in 0..<channels {
                let first = UnsafeRawPointer(rows + channel * stride * room + column - 1 + Turning.pad)
                func four(_ place: Int) -> SIMD4<Float> {
                    first.loadUnaligned(fromByteOffset: place * 4, as: SIMD4<Float>.self)
                }
                let sum =
                    four(places.0) * weightsDown[0] + four(places.1) * weightsDown[1]
                    + (four(places.2) * weightsDown[2] + four(places.3) * weightsDown[3])
                line[channel * width + x] = (sum * weightsAcross).sum()
            }
        }
    }

    /// Where a row of the source begins; rows outside are those at the edge.
    private func place(_ row: Int) -> Int {
        min(max(row, 0), height - 1) % room * stride
    }

    private func load(upTo row: Int) {
        while loaded <= row {
            let first = rows + loaded % room * stride
            let planes = (0..<channels).map { first + $0 * stride * room + Turning.pad }
            light.read(
                samples, width: width, row: loaded, columns: 0..<width, into: planes.map { UnsafeMutableRawPointer($0) }
            )
            for plane in planes {
                for step in 0..<Turning.pad {
                    plane[-1 - step] = plane[0]
                    plane[width + step] = plane[width - 1]
                }
            }
            loaded += 1
        }
    }

    /// The cubic's weights of the pixels before, at, behind and after that a place lies `part` behind the second of.
    private static func weights(_ part: Float) -> SIMD4<Float> {
        let linear = SIMD4<Float>(-0.5, 0, 0.5, 0)
        let square = SIMD4<Float>(1, -2.5, 2, -0.5)
        let cube = SIMD4<Float>(-0.5, 1.5, -1.5, 0.5)
        return ((cube * part + square) * part + linear) * part + SIMD4<Float>(0, 1, 0, 0)
    }

    /// Those of `places` at which `start + place * step` lies on one of `count` pixels.
    private static func span(_ start: Double, _ step: Double, _ count: Int, _ places: Range<Int>) -> Range<Int> {
        let (near, far) = (-0.5 - start, Double(count) - 0.5 - start)
        if abs(step) < 1e-9 { return near <= 0 && far > 0 ? places : places.lowerBound..<places.lowerBound }
        let (low, high) = (min(near / step, far / step), max(near / step, far / step))
        let first = Int(clamping: low.rounded(.up), to: places.lowerBound...places.upperBound)
        return first..<Int(clamping: high.rounded(.up), to: first...places.upperBound)
    }
}

/// The colour of the paper along the four edges of a raster, as light.
///
/// An edge is looked at in pieces, as deep as twice what scanners darken; of the pixels of a piece the lighter half counts
/// without its lightest: neither what is printed there nor a dark edge nor a reflection.
struct EdgePaper {
    private let size: PixelSize
    private let channels: Int
    /// For each piece of the left, top, right and bottom edge its channels.
    private var pieces: [[[Float]]] = []

    /// The least length of a piece, in pixels.
    private static let length = 32
    /// In hundredths of the shorter side.
    private static let depth = 8
    private static let leastDepth = 4
    /// The share of a piece's pixels that counts, from the darkest on.
    private static let counted = (from: 0.5, to: 0.9)

    /// - Parameter samples: those of the raster, of 8 or 16 bits.
    init(_ raster: Raster, _ samples: UnsafeBufferPointer<UInt8>) {
        size = raster.size
        let light = LightSamples(raster.format)
        channels = light.channels
        let (width, height) = (size.width, size.height)
        let depth = max(EdgePaper.leastDepth, min(width, height) * EdgePaper.depth / 100)
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
            // Every third pixel of every third row says it as well.
            for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: 3) {
                light.read(samples, width: width, row: row, columns: columns, into: planes)
                for column in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: 3) {
                    let piece = (isUpright ? row : column) * pixels.count / along
                    pixels[piece].append((0..<channels).map { line[$0 * width + column] })
                }
            }
            var edge = pixels.map { EdgePaper.paper($0, channels) }
            // Where two dark edges meet there may be no paper at all.
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

    /// Writes the colour for a place outside the raster, one value for each channel, so far apart.
    func fill(_ x: Double, _ y: Double, _ pixel: UnsafeMutablePointer<Float>, stride: Int) {
        // The edge that the place lies furthest beyond.
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
