internal import PageModel

/// A scaler of 8-bit gray or color that treats each texture in its own way. It takes the rows of the image band by band.
///
/// - Lines and letters are filtered as their samples are stored. In linear light, thin strokes would become pale.
/// - Screentone is filtered in linear light by a soft kernel, so that its gray is exact and its dots make no moiré.
/// - Everything else is filtered in linear light by a sharp kernel.
final class TextureScaler {
    /// The samples of some rows of the image, one row after the other.
    typealias Samples = UnsafePointer<UInt8>

    let map: TextureMap
    private let channels: Int
    private let (width, height): (Int, Int)
    /// The scalers of lines, pictures and screentone.
    private let scalers: [PlaneScaler]
    /// The source rows of each channel as they are stored, and in light if a method needed it.
    private let stored: [SampleRows]
    private lazy var light = makeRows()
    private let makeRows: () -> [SampleRows]
    /// The bands that a kernel reaches from a row.
    private let reach: Int
    /// The number of source rows after which all methods have completed a target row.
    private let ends: [Int]
    private var blend: TextureBlend
    /// The number of target rows that were written.
    private(set) var written = 0
    /// The number of bands whose cells were found.
    private var found = 0

    /// - Parameters:
    ///   - map: the textures of the image, as far as they are known.
    ///   - channels: 1 for gray, 3 for colors.
    init(_ map: TextureMap, channels: Int, to target: PixelSize, tone: ScalingKernel) {
        self.map = map
        self.channels = channels
        (width, height) = (target.width, target.height)
        let weights = [ScalingKernel.lanczos, .lanczos, tone].map {
            (
                across: ScalingWeights($0, from: map.width, to: target.width),
                down: ScalingWeights($0, from: map.height, to: target.height)
            )
        }
        scalers = weights.map { PlaneScaler($0.across, $0.down, width: map.width) }
        reach = TextureScaler.reach(weights[0].down.taps)
        let places = 0..<target.height
        let ends = places.map { place in weights.map { $0.down.end(of: place) }.max() ?? map.height }
        self.ends = ends
        let room = places.map { place in ends[place] - (weights.map { $0.down.first[place] }.min() ?? 0) }.max() ?? 1
        let padding = weights.map { PlaneScaler.padding($0.across) }.max() ?? 0
        let makeRows = {
            (0..<channels).map { _ in SampleRows(width: map.width, padding: padding, room: room) }
        }
        (self.makeRows, stored) = (makeRows, makeRows())
        blend = TextureBlend(map, to: target)
    }

    /// The kernel for screentone of a pitch, in target pixels; nil if the pitch is unknown.
    ///
    /// Dots of less than three pixels can only alias, so they become flat gray. Larger ones keep their form.
    static func toneKernel(pitch: Double?) -> ScalingKernel { pitch ?? 0 < 3 ? .spline : .mitchell }

    /// The bands whose blocks are needed before the rows of `band` can be added.
    func bands(for band: Int) -> Int { min(band + reach + 3, map.down) }

    /// Returns the bytes of memory for scaling colors that are read band by band, in addition to the target.
    static func memory(_ size: PixelSize, to target: PixelSize) -> Int {
        let side = BlockSpectrum.side
        let across = ScalingWeights.taps(.lanczos, from: size.width, to: target.width)
        let down = ScalingWeights.taps(.lanczos, from: size.height, to: target.height)
        // The samples and the brightness of the bands, with a copy of one. A block takes 32 bytes.
        let rows = size.width * side * 4 * (reach(down) + 4) + size.area / (side * side) * 32
        // The rows that a kernel needs, as stored and in light, of three colors; the weights of each method.
        let weights = (across + 1) * target.width + down * target.height
        return rows + 4 * (2 * 3 * (down + 1) * size.width + 3 * weights)
    }

    /// Adds the rows of a band, and writes the target rows that are complete.
    ///
    /// - Parameters:
    ///   - samples: the samples of the band's rows.
    ///   - gray: the brightness of the rows of this band and the next two.
    ///   - output: the samples of the whole target.
    func add(band: Int, _ samples: Samples, _ gray: GrayRows, into output: UnsafeMutablePointer<UInt8>) {
        while found < min(band + 2, map.down) {
            map.findCells(ofBand: found, gray)
            found += 1
        }
        let needsLight = needsLight(band)
        let first = band * BlockSpectrum.side
        for row in first..<min(first + BlockSpectrum.side, map.height) {
            let line = samples + (row - first) * map.width * channels
            for channel in 0..<channels {
                load(line + channel, into: stored[channel].row(row)) { Float($0) }
                guard needsLight else { continue }
                SRGBCurve.light8.withUnsafeBufferPointer { curve in
                    load(line + channel, into: light[channel].row(row)) { curve[Int($0)] }
                }
            }
            while written < height, ends[written] <= row + 1 {
                write(into: output + written * width * channels)
                written += 1
            }
        }
        map.dropCells(before: band - reach - 1)
    }

    private static func reach(_ taps: Int) -> Int { (taps + BlockSpectrum.side - 1) / BlockSpectrum.side }

    /// Returns whether the rows of a band are needed in light.
    ///
    /// A target row mixes the textures of its own band and the next ones. A lattice has cells in one band more.
    private func needsLight(_ band: Int) -> Bool {
        map.anyBlock(near: band - reach - 1...band + reach + 1) { $0.kind == .picture }
            || map.anyBlock(near: band - reach - 2...band + reach + 2) { $0.lattice != nil }
    }

    private func load(_ line: Samples, into row: UnsafeMutablePointer<Float>, _ value: (UInt8) -> Float) {
        let width = map.width
        if channels == 1 {
            for x in 0..<width { row[x] = value(line[x]) }
        } else {
            for x in 0..<width { row[x] = value(line[x &* channels]) }
        }
    }

    private func write(into output: UnsafeMutablePointer<UInt8>) {
        blend.prepare(row: written)
        for channel in 0..<channels {
            for run in blend.line { scalers[0].scale(stored[channel], to: written, columns: run) }
            for run in blend.picture { scalers[1].scale(light[channel], to: written, columns: run) }
            for run in blend.tone { scalers[2].scale(light[channel], to: written, columns: run) }
            blend.write(
                line: scalers[0].target, picture: scalers[1].target, tone: scalers[2].target,
                into: output + channel, step: channels)
        }
    }
}

extension ScalingWeights {
    /// The source pixel after the last that a target pixel needs.
    func end(of place: Int) -> Int { first[place] + counts[place] }
}
