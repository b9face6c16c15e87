internal import PageModel

@testable import Imaging

extension FuzzTarget {
    /// Cutting and turning JPEGs: the result has the size asked for, and copying coded data gives the same coefficients
    /// as decoding them.
    static let jpegCut = FuzzTarget(name: "jpeg-cut", endings: ["jpg"], maximumBytes: 8192) { input in
        var choices = Choices(input)
        let choice = (choices.number(1...8), choices.number(0...65_535), choices.number(0...65_535))
        let (across, down) = (choices.number(0...65_535), choices.number(0...65_535))
        guard let header = JPEGHeader(choices.rest), let size = header.size, size.area < 1 << 16, let grid = header.grid
        else { return }
        guard let orientation = Orientation(exif: choice.0) else { return }
        let full = orientation.applied(to: size)
        let (x, y) = (choice.1 % full.width, choice.2 % full.height)
        let rect = PixelRect(
            x: x, y: y, width: 1 + across % (full.width - x), height: 1 + down % (full.height - y))
        guard let framing = JPEGSurgery.lossless(Framing(size, orientation).keeping(rect), grid: grid) else { return }
        require(PixelRect(x: 0, y: 0, framing.full).contains(framing.rect), "a part lies in its image")
        guard let result = try? JPEGSurgery.cut(choices.rest, to: framing) else { return }
        guard let part = JPEGHeader(result.file) else { fatalError("a cut JPEG is none") }
        require(part.size == framing.rect.size, "a cut JPEG has the size asked for: \(part.size as Any), \(framing)")
        require(PictureCheck.defect(in: result.file, .jpeg) == nil, "a cut JPEG is whole")
        guard framing.isUpright, let copied = ScanCut.cut(choices.rest, to: framing.rect),
            let composed = try? JPEGSurgery.compose(
                [JPEGSurgery.Piece(file: choices.rest, framing: framing)], size: framing.rect.size),
            composed.diagnostic == nil, let one = try? JPEGDecoder.decode(copied, maximumPixels: 1 << 16),
            let other = try? JPEGDecoder.decode(composed.file, maximumPixels: 1 << 16), other.diagnostics.isEmpty
        else { return }
        require(one.diagnostics.isEmpty, "what is copied of a sound JPEG is sound: \(one.diagnostics)")
        require(one.raster.samples == other.raster.samples, "what is copied shows what is decoded")
    }

    /// Overlays on JPEGs: the result is sound, and as large.
    static let jpegPatch = FuzzTarget(name: "jpeg-patch", endings: ["jpg"], maximumBytes: 8192) { input in
        var choices = Choices(input)
        let numbers = (0..<5).map { _ in choices.number(0...65_535) }
        guard let size = JPEGHeader(choices.rest)?.size, size.area < 1 << 16 else { return }
        let (x, y) = (numbers[0] % size.width, numbers[1] % size.height)
        let rect = PixelRect(
            x: x, y: y, width: 1 + numbers[2] % (size.width - x), height: 1 + numbers[3] % (size.height - y))
        let color = [UInt8](repeating: UInt8(numbers[4] & 255), count: 3 * rect.size.area)
        let overlay = OverlayPixels([OverlayPixels.Area(rect, black: color, white: color)])
        guard let laid = try? JPEGSurgery.patch(choices.rest, with: overlay) else { return }
        require(laid.share > 0 && laid.share <= 1, "an overlay touches blocks: \(laid.share)")
        require(JPEGHeader(laid.file)?.size == size, "a patched JPEG keeps its size")
        require(PictureCheck.defect(in: laid.file, .jpeg) == nil, "a patched JPEG is sound")
    }

    /// Joining two parts of a JPEG in one.
    static let jpegRow = FuzzTarget(name: "jpeg-row", endings: ["jpg"], maximumBytes: 8192) { input in
        var choices = Choices(input)
        let seam = JoinedPicture.Seam.allCases[choices.number(0...JoinedPicture.Seam.allCases.count - 1)]
        let numbers = (0..<8).map { _ in choices.number(0...255) }
        guard let header = JPEGHeader(choices.rest), let size = header.size, size.area < 1 << 15, let grid = header.grid
        else { return }
        var x = numbers[0] % 20
        var parts: [JPEGRow.Part] = []
        for number in numbers[1...2] {
            guard let orientation = Orientation(exif: 1 + number % 8) else { return }
            let full = orientation.applied(to: size)
            let rect = PixelRect(
                x: numbers[3] % full.width, y: numbers[4] % full.height,
                width: full.width - numbers[3] % full.width, height: full.height - numbers[4] % full.height)
            let place = PixelRect(x: x, y: numbers[5] % 40, rect.size)
            parts.append(JPEGRow.Part(framing: Framing(size, orientation).keeping(rect), grid: grid, place: place))
            x += rect.width + numbers[6] % 20
        }
        let whole = PixelSize(
            width: x + numbers[7] % 20, height: (parts.map { $0.place.y + $0.place.height }.max() ?? 0))
        guard let row = JPEGRow(parts, size: whole, seam: seam) else { return }
        for (piece, next) in Swift.zip(row.pieces, row.pieces.dropFirst()) {
            require(piece.place.x + piece.place.width <= next.place.x, "pieces do not overlap")
        }
        require(
            row.pieces.allSatisfy { PixelRect(x: 0, y: 0, row.size).contains($0.place) }, "pieces lie in the whole")
        let pieces = row.pieces.map { piece in
            JPEGSurgery.Piece(
                file: choices.rest, framing: piece.framing, x: piece.place.x, y: piece.place.y, size: piece.place.size)
        }
        guard let result = try? JPEGSurgery.compose(pieces, size: row.size) else { return }
        // Coefficients can be moved also where libjpeg cannot show them, as of fractional sampling.
        guard (try? JPEGDecoder.decode(choices.rest, maximumPixels: 1 << 22)) != nil else { return }
        require(JPEGHeader(result.file)?.size == row.size, "a row has its size")
        require((try? JPEGDecoder.decode(result.file, maximumPixels: 1 << 22)) != nil, "a row can be decoded")
        let pages = row.pieces.map(\.page)
        let marked = JPEGMetadata.marking(pages: pages, mergedInto: row.size, in: result.file)
        let stated = JPEGMetadata.mergedPages(in: marked)
        // Of pages that are little of the whole no mark is believed.
        if stated.isEmpty { return }
        require(stated == pages, "a mark tells of the pages")
        let unmarked = JPEGMetadata.removingMergeMark(from: result.file)
        require(JPEGMetadata.removingMergeMark(from: marked) == unmarked, "a mark can be taken off")
    }

    /// Changing metadata: nothing else in the file changes.
    static let jpegMetadata = FuzzTarget(name: "jpeg-metadata", endings: ["jpg"]) { input in
        guard let header = JPEGHeader(input) else { return }
        let upright = JPEGMetadata.resettingOrientation(of: input)
        require(upright.count == input.count, "a reset orientation takes no room")
        guard let reset = JPEGHeader(upright) else { fatalError("a JPEG with another orientation is none") }
        require([nil, 1].contains(reset.exifOrientation), "the orientation is reset: \(reset.exifOrientation ?? 0)")
        require(reset.size == header.size, "the size stays")
        require(JPEGMetadata.resettingOrientation(of: upright) == upright, "an orientation is reset once")
        let profile = [UInt8](repeating: 7, count: 70_000)
        let profiled = JPEGHeader(JPEGMetadata.inserting(profile: profile, into: input))
        require(profiled?.size == header.size, "a profile leaves the image alone")
        if header.iccProfile == nil, !input.contains(sequence: "ICC_PROFILE") {
            require(profiled?.iccProfile == profile, "a profile is found again")
        }
        let unmarked = JPEGMetadata.removingMergeMark(from: input)
        require(JPEGHeader(unmarked)?.hasMergeMark == false, "a mark is gone")
    }
}

extension [UInt8] {
    fileprivate func contains(sequence text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
