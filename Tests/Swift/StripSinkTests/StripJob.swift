import AdapterKit
import Files
import Imaging
import PageModel
import Scratch
import StripSink

/// A strip to be made: what is asked of the sink, and what it must become.
struct StripJob: CustomStringConvertible, Sendable {
    enum Alignment: String, CaseIterable {
        case start, center, end
    }

    var isVertical = true
    var isRightToLeft = false
    var gap = 0
    var background = RGB.white
    var alignment = Alignment.center
    var other: [String: String] = [:]
    var encoding = EncodingRequest()
    var isLossless = false
    var width = 1

    var description: String {
        "\(isVertical ? "vertical" : "horizontal")\(isRightToLeft ? " rtl" : "") gap \(gap) \(alignment) \(background)"
    }

    static func random(using random: inout SplitMix) -> StripJob {
        StripJob(
            isVertical: .random(using: &random), isRightToLeft: .random(using: &random),
            gap: Bool.random(using: &random) ? 0 : .random(in: 1...9, using: &random),
            background: [
                .white, .black, RGB(red: 85, green: 85, blue: 85), RGB(red: 90, green: 90, blue: 90),
                RGB(red: 9, green: 200, blue: 31),
            ].randomElement(using: &random) ?? .white,
            alignment: Alignment.allCases.randomElement(using: &random) ?? .center)
    }

    struct Result {
        /// The output's files by name.
        var files: [(name: String, bytes: [UInt8])]
        var compositions: [Int: Composition]
    }

    /// Makes the strip in a folder of its own.
    ///
    /// - Throws: what the sink throws, after making sure that it left nothing behind.
    func run(_ pages: [SyntheticPage], to name: String = "out.png") async throws -> Result {
        let scratch = try ScratchFolder()
        do {
            let compositions = try await write(pages, to: scratch(name))
            let isFile = StripSink().form(try settings()) != .folder
            let names = isFile ? [name] : scratch.names(in: name)
            return Result(
                files: try names.map { ($0, try scratch.read(isFile ? $0 : "\(name)/\($0)")) },
                compositions: compositions)
        } catch {
            guard scratch.names().isEmpty else { throw Remains(names: scratch.names()) }
            throw error
        }
    }

    struct Remains: Error {
        let names: [String]
    }

    private func settings() throws -> Settings {
        func hex(_ value: UInt8) -> String { String(value >> 4, radix: 16) + String(value & 15, radix: 16) }
        let given = [
            "strip-direction": isVertical ? "vertical" : "horizontal", "gap": "\(gap)",
            "background": "#" + hex(background.red) + hex(background.green) + hex(background.blue),
            "align": alignment.rawValue,
        ]
        return try Settings(StripSink().descriptor.settings, given: given.merging(other) { $1 })
    }

    private func write(_ pages: [SyntheticPage], to path: String) async throws -> [Int: Composition] {
        let session = try StripSink().begin(
            SinkRequest(
                book: BookMetadata(direction: isRightToLeft ? .rightToLeft : .leftToRight), pageCount: pages.count,
                destination: Destination(path: path), settings: try settings(), encoding: encoding,
                isLossless: isLossless, width: width))
        for (index, page) in pages.enumerated() { _ = try session.add(page.finished(index + 1)) }
        let compositions = try await session.compose().compositions
        try await session.finish()
        return compositions
    }

    /// The strip, put together pixel by pixel.
    func expected(_ pages: [SyntheticPage]) -> Pixels {
        let pictures = pages.map { $0.pixels(on: background) }
        let ordered = !isVertical && isRightToLeft ? pictures.reversed() : pictures
        let along = ordered.map { isVertical ? $0.size.height : $0.size.width }
        let across = ordered.map { isVertical ? $0.size.width : $0.size.height }
        let length = along.reduce(gap * (pages.count - 1), +)
        let breadth = across.max() ?? 0
        var strip = Pixels(
            isVertical ? PixelSize(width: breadth, height: length) : PixelSize(width: length, height: breadth),
            background)
        var start = 0
        for (picture, (along, across)) in zip(ordered, zip(along, across)) {
            let aside =
                switch alignment {
                case .start: 0
                case .center: (breadth - across) / 2
                case .end: breadth - across
                }
            strip.draw(picture, x: isVertical ? aside : start, y: isVertical ? start : aside)
            start += along + gap
        }
        return strip
    }
}

extension StripJob.Result {
    /// The picture in the only file, or in the given one.
    func raster(_ index: Int = 0) throws -> Raster {
        let encoding: ImageEncoding =
            files[index].name.hasSuffix(".png") ? .png : files[index].name.hasSuffix(".webp") ? .webp : .jpeg
        return try PictureDecoder.decode(files[index].bytes, encoding, maximumPixels: 1 << 24).raster
    }
}
