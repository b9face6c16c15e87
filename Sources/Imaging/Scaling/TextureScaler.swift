internal import PageModel

/// A scaler of 8-bit gray or color that treats each texture in its own way. It takes the rows of the image band by band.
///
/// - Lines and letters are filtered as their samples are stored. In linear light, thin strokes would become pale.
/// - Screentone is filtered in linear light by a soft kernel, so that its gray is exact and its dots make no moiré.
/// - Everything else is filtered in linear light by a sharp kernel.
final class TextureScaler {
    /// The samples of some rows of the image, one row after the other.
    typealias Samples = UnsafePointer<UInt8>

    private enum Method: Int, CaseIterable {
        case line
        case picture
        case tone
    }

    let map: TextureMap
    private let channels: Int
    private let (width, height): (Int, Int)
    /// The scalers of each method that was needed, one for each channel.
    private var scalers: [[PlaneScaler]] = Method.allCases.map { _ in [] }
    private let weights: [(across: ScalingWeights, down: ScalingWeights)]
    /// The number of source rows after which all methods have completed a target row.
    private let ends: [Int]
    private var blend: TextureBlend
    private let plane: UnsafeMutablePointer<Float>
    private let level: [Float] = (0...255).map(Float.init)
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
        weights = [ScalingKernel.lanczos, .lanczos, tone].map {
            (
                ScalingWeights($0, from: map.width, to: target.width),
                ScalingWeights($0, from: map.height, to: target.height)
            )
        }
        let downs = weights.map(\.down)
        ends = (0..<target.height).map { place in downs.map { $0.end(of: place) }.max() ?? map.height }
        blend = TextureBlend(map, to: target)
        let padding = weights.map(\.across.taps).max() ?? 0
        plane = .allocate(capacity: map.width + padding)
        plane.initialize(repeating: 0, count: map.width + padding)
    }

    deinit {
        plane.deallocate()
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
        // Eight target rows of three colors, begun or waiting, and the weights.
        let scalers = 3 * 8 * target.width + across * target.width + down * target.height
        return rows + 4 * Method.allCases.count * scalers
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
        let isNeeded = methods(for: band)
        let first = band * BlockSpectrum.side
        for row in first..<min(first + BlockSpectrum.side, map.height) {
            let line = samples + (row - first) * map.width * channels
            for channel in 0..<channels { feed(line + channel, channel, row, isNeeded) }
            while written < height, ends[written] <= row + 1 {
                write(isNeeded, into: output + written * width * channels)
                written += 1
            }
        }
        map.dropCells(before: band - reach - 1)
    }

    /// The bands that a kernel reaches from a row.
    private var reach: Int { TextureScaler.reach(weights[0].down.taps) }

    private static func reach(_ taps: Int) -> Int { (taps + BlockSpectrum.side - 1) / BlockSpectrum.side }

    /// Returns which methods the rows of a band need.
    ///
    /// A target row mixes the textures of its own band and the next ones. A lattice has cells in one band more.
    private func methods(for band: Int) -> [Bool] {
        let hasPicture = map.anyBlock(near: band - reach - 1...band + reach + 1) { $0.kind == .picture }
        let hasTone = map.anyBlock(near: band - reach - 2...band + reach + 2) { $0.lattice != nil }
        return [true, hasPicture, hasTone]
    }

    private func feed(_ line: Samples, _ channel: Int, _ row: Int, _ isNeeded: [Bool]) {
        level.withUnsafeBufferPointer { load(line, $0) }
        add(.line, channel, row)
        guard isNeeded[Method.picture.rawValue] || isNeeded[Method.tone.rawValue] else { return }
        SRGBCurve.light8.withUnsafeBufferPointer { load(line, $0) }
        if isNeeded[Method.picture.rawValue] { add(.picture, channel, row) }
        if isNeeded[Method.tone.rawValue] { add(.tone, channel, row) }
    }

    private func load(_ line: Samples, _ table: UnsafeBufferPointer<Float>) {
        for x in 0..<map.width { plane[x] = table[Int(line[x * channels])] }
    }

    private func add(_ method: Method, _ channel: Int, _ row: Int) {
        while scalers[method.rawValue].count <= channel {
            let (across, down) = weights[method.rawValue]
            scalers[method.rawValue].append(PlaneScaler(across, down, readAfter: ends))
        }
        scalers[method.rawValue][channel].add(plane, row: row)
    }

    private func write(_ isNeeded: [Bool], into output: UnsafeMutablePointer<UInt8>) {
        blend.prepare(row: written)
        for channel in 0..<channels {
            let rows = Method.allCases.map { method in
                isNeeded[method.rawValue] ? UnsafePointer(scalers[method.rawValue][channel].row(written)) : nil
            }
            blend.write(line: rows[0], picture: rows[1], tone: rows[2], into: output + channel, step: channels)
        }
    }
}

extension ScalingWeights {
    /// The source pixel after the last that a target pixel needs.
    func end(of place: Int) -> Int { first[place] + counts[place] }
}
