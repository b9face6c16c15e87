package import PageModel

extension Raster {
    /// Returns a raster of the same size whose pixels are taken from given places in this one. A place of 0 is the middle of the
    /// first pixel.
    ///
    /// Pixels are interpolated with the cubic of Catmull and Rom, in linear light. Pixels from outside get the color of the paper
    /// at the nearest edge. Samples of less than 8 bits become 8 bits, and palettes RGB.
    ///
    /// - Parameters:
    ///   - rows: the number of source rows that a row's places span. The steps back to the next row's places are included.
    ///   - place: a function that fills in the places of a row's pixels.
    package func resampled(rows: Int, _ place: (_ row: Int, _ places: SourcePlaces) -> Void) -> Raster {
        let source = widened()
        let total = Raster.bytesPerRow(width: size.width, format: source.format) * size.height
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            source.samples.withUnsafeBufferPointer { input in
                let resampler = Resampler(source, input, rows: rows)
                for row in 0..<size.height {
                    place(row, resampler.places)
                    resampler.write(row, into: output)
                }
            }
            count = total
        }
        return source.with(source.format, samples)
    }
}

/// The sources of a result row's pixels, in pixels of the source.
package struct SourcePlaces {
    package let across: UnsafeMutablePointer<Double>
    package let down: UnsafeMutablePointer<Double>
}

/// The cubic of Catmull and Rom ("A class of local interpolating splines", 1974).
package enum CatmullRom {
    /// Returns the weights of four points for a place that is `part` after the second of them.
    package static func weights(_ part: Float) -> SIMD4<Float> {
        let linear = SIMD4<Float>(-0.5, 0, 0.5, 0)
        let square = SIMD4<Float>(1, -2.5, 2, -0.5)
        let cube = SIMD4<Float>(-0.5, 1.5, -1.5, 0.5)
        return ((cube * part + square) * part + linear) * part + SIMD4<Float>(0, 1, 0, 0)
    }
}

/// A resampler that computes a raster from another one's pixels, row by row.
///
/// Only the source rows that a row of the result needs are kept as linear light. Pixels are interpolated in linear light from 4
/// by 4 neighbors, with the cubic of Catmull and Rom. Samples are treated as sRGB, as in scaling.
final class Resampler {
    let places: SourcePlaces
    private let samples: UnsafeBufferPointer<UInt8>
    private let (width, height): (Int, Int)
    private let light: LightSamples
    private let paper: EdgePaper
    private let channels: Int
    /// The rows in memory, `room` of them for each channel, row by row in a ring.
    private let rows: UnsafeMutablePointer<Float>
    private let stride: Int
    private let room: Int
    private var loaded = 0
    /// A row of the result, channel by channel.
    private let line: UnsafeMutablePointer<Float>

    /// The extra pixels on either side of a row, so that every pixel has its neighbors.
    private static let pad = 2

    /// - Parameters:
    ///   - samples: the raster's samples. They have 8 or 16 bits.
    ///   - rows: the number of source rows over which the places of one row are spread.
    init(_ raster: Raster, _ samples: UnsafeBufferPointer<UInt8>, rows spread: Int) {
        self.samples = samples
        (width, height) = (raster.size.width, raster.size.height)
        light = LightSamples(raster.format)
        paper = EdgePaper(raster, samples)
        channels = light.channels
        stride = width + 2 * Resampler.pad
        room = min(height, spread + 6)
        rows = .allocate(capacity: stride * room * channels)
        line = .allocate(capacity: width * channels)
        places = SourcePlaces(across: .allocate(capacity: width), down: .allocate(capacity: width))
    }

    deinit {
        rows.deallocate()
        line.deallocate()
        places.across.deallocate()
        places.down.deallocate()
    }

    /// Writes a row of the result whose places have been filled in.
    func write(_ y: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
        var furthest = -1.0
        for x in 0..<width { furthest = max(furthest, places.down[x]) }
        load(upTo: Int(clamping: furthest.rounded(.down) + 2, to: -1...height - 1))
        var row = Int.min
        var four = (0, 0, 0, 0)
        for x in 0..<width {
            let (across, down) = (places.across[x], places.down[x])
            guard across > -0.5, down > -0.5, across < Double(width) - 0.5, down < Double(height) - 0.5 else {
                paper.fill(across, down, line + x, stride: width)
                continue
            }
            // Never less than -0.5: truncation after adding 1 rounds down.
            let (column, next) = (Int(across + 1) - 1, Int(down + 1) - 1)
            if next != row {
                row = next
                four = (offset(row - 1), offset(row), offset(row + 1), offset(row + 2))
            }
            interpolate(x, column, Float(across - Double(column)), four, Float(down - Double(row)))
        }
        light.write(
            (0..<channels).map { UnsafeMutableRawPointer(line + $0 * width) }, columns: 0..<width, into: output,
            width: width, row: y)
    }

    /// Fills in a pixel from the four rows at `places`, at the given fractions after the second column and the second row.
    @inline(__always)
    private func interpolate(_ x: Int, _ column: Int, _ behind: Float, _ places: (Int, Int, Int, Int), _ down: Float) {
        let weightsAcross = CatmullRom.weights(behind)
        let weightsDown = CatmullRom.weights(down)
        for channel in 0..<channels {
            let first = UnsafeRawPointer(rows + channel * stride * room + column - 1 + Resampler.pad)
            func four(_ place: Int) -> SIMD4<Float> {
                first.loadUnaligned(fromByteOffset: place * 4, as: SIMD4<Float>.self)
            }
            // In two sums: the compiler needs seconds to find the types of one.
            let above: SIMD4<Float> = four(places.0) * weightsDown[0] + four(places.1) * weightsDown[1]
            let below: SIMD4<Float> = four(places.2) * weightsDown[2] + four(places.3) * weightsDown[3]
            line[channel * width + x] = ((above + below) * weightsAcross).sum()
        }
    }

    /// Returns the offset of a source row; rows outside are those at the edge.
    private func offset(_ row: Int) -> Int {
        min(max(row, 0), height - 1) % room * stride
    }

    private func load(upTo row: Int) {
        while loaded <= row {
            let first = rows + loaded % room * stride
            let planes = (0..<channels).map { first + $0 * stride * room + Resampler.pad }
            light.read(
                samples, width: width, row: loaded, columns: 0..<width, into: planes.map { UnsafeMutableRawPointer($0) }
            )
            for plane in planes {
                for step in 0..<Resampler.pad {
                    plane[-1 - step] = plane[0]
                    plane[width + step] = plane[width - 1]
                }
            }
            loaded += 1
        }
    }
}
