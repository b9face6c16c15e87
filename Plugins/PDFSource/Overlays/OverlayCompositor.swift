internal import Imaging
internal import PDFStructure
internal import PageModel

/// The compositor of an overlay: when the image is read, it places the overlay's pixels on those of the image.
struct OverlayCompositor: Sendable {
    private let overlay: Extraction.Overlay
    private let size: PixelSize
    /// The parts of the image that hold the scan; the rest is paper that jisui adds around it.
    private let scan: [PixelRect]
    private let path: PageTree.Path
    private let book: PDFBook
    private let omission: PageOmission

    /// - Parameters:
    ///   - size: the size of the image below it, as stored.
    ///   - scan: the parts of that image that hold the scan; nil for all of it.
    ///   - path: the position of the page.
    ///   - omission: the objects of the page that are removed.
    init(
        _ overlay: Extraction.Overlay, on size: PixelSize, scan: [PixelRect]? = nil, at path: PageTree.Path,
        _ book: PDFBook, omitting omission: PageOmission
    ) {
        self.overlay = overlay
        self.size = size
        self.scan = scan ?? [PixelRect(x: 0, y: 0, size)]
        self.path = path
        self.book = book
        self.omission = omission
    }

    /// The report of the overlay.
    var report: PictureOverlay {
        PictureOverlay(overlay.description) { pixels in
            try await book.drawing(of: overlay, at: path, omitting: omission, pixels: pixels)
        }
    }

    /// - Throws: `.unsupported` if the page has to be rendered instead.
    func composite(onJPEG bytes: [UInt8]) async throws -> ImageFile {
        let found = try await seen {
            guard try hasProfile(bytes) else { return nil }
            return try PictureDecoder.decode(bytes, DecodeRequest(.jpeg, maximumPixels: size.area)).raster
        }
        guard !found.isEmpty else { return ImageFile(bytes, patchResult: PatchResult(share: 0, text: found.text)) }
        let patched = try AdapterError.compositing { () throws(PictureFault) in
            try JPEGSurgery.patch(bytes, with: found)
        }
        let result = PatchResult(
            share: share(patched.share, of: found), areas: found.areas.map(\.rect), text: found.text,
            isMadeProgressive: patched.becomesProgressive)
        return ImageFile(patched.file, patchResult: result)
    }

    /// - Throws: `.unsupported` if the page has to be rendered instead.
    func composite(onSamples image: DecodedImage) async throws -> DecodedImage {
        let found = try await seen { image.raster.iccProfile == nil ? nil : image.raster }
        var copy = image
        copy.patchResult = PatchResult(share: 0, areas: found.areas.map(\.rect), text: found.text)
        guard !found.isEmpty else { return copy }
        guard let (raster, changed) = image.raster.compositing(found) else {
            throw AdapterError(.unsupported, "no content can be merged into samples of this kind")
        }
        copy.raster = raster
        copy.patchResult?.share = share(changed, of: found)
        return copy
    }

    /// Returns the changed share of the scan. Content on the paper around it changes nothing of the scan.
    ///
    /// - Parameter share: the changed share of the whole image.
    private func share(_ share: Double, of found: OverlayPixels) -> Double {
        let area = scan.reduce(0) { $0 + $1.size.area }
        guard area > 0, area < size.area else { return share }
        let own = share * found.share(within: scan) * Double(size.area) / Double(area)
        // It is visible in any case, and 0 would mean that it is not.
        return share > 0 ? min(max(own, .leastNonzeroMagnitude), 1) : 0
    }

    /// - Parameter picture: a function that returns the image, if its profile gives its colors another meaning than sRGB;
    ///   otherwise nil.
    private func seen(on picture: () throws -> Raster?) async throws -> OverlayPixels {
        let found = try await book.overlay(overlay, on: size, at: path, omitting: omission)
        // Colors are mixed in sRGB. Black, gray and white look the same in any profile, as far as is visible. `withoutTint`
        // would read a neutral overlay twice more.
        guard !found.isNeutral, !found.withoutTint.isNeutral, let raster = try picture() else { return found }
        let mixed = try AdapterError.compositing { () throws(PictureFault) in try found.mixed(on: raster) }
        guard let mixed else {
            throw AdapterError(
                .unsupported, "\(overlay.description) in color lies over an image with a gray color profile")
        }
        return mixed
    }

    private func hasProfile(_ bytes: [UInt8]) throws -> Bool {
        guard let header = JPEGHeader(bytes), let profile = header.iccProfile else { return false }
        return try AdapterError.compositing { () throws(PictureFault) in
            try ICCProfile(profile).changesColors(ofGray: header.components.count == 1)
        }
    }
}

extension EncodedPicture {
    /// Composites an overlay on the image whenever it is read.
    mutating func composite(_ compositor: OverlayCompositor) {
        let read = read
        overlay = compositor.report
        readWithoutOverlay = { try await read().bytes }
        self.read = { try await compositor.composite(onJPEG: try await read().bytes) }
    }
}

extension SampledPicture {
    /// Composites an overlay on the samples whenever they are read.
    mutating func composite(_ compositor: OverlayCompositor) {
        let read = read
        overlay = compositor.report
        readWithoutOverlay = read
        self.read = { try await compositor.composite(onSamples: try await read()) }
    }
}

extension AdapterError {
    /// Runs work of codecs. An image that they cannot change is rendered, and its damage is reported then.
    static func compositing<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(.unsupported, "the content over the image cannot be merged into it (\(error.message))")
        }
    }
}
