internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Synchronization

/// A task that draws the content over an image on the image's own pixels, when the image is read.
final class OverlayWork: Sendable {
    private let overlay: Extraction.Overlay
    private let size: PixelSize
    /// The parts of the image that hold the scan; the rest is paper that jisui adds around it.
    private let scan: [PixelRect]
    private let path: PageTree.Path
    private let book: PDFBook
    private let omission: PageOmission
    private let share = Mutex<Double?>(nil)
    private let text = Mutex<String?>(nil)
    private let becomesProgressive = Mutex(false)

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
    var patch: PicturePatch {
        var patch = PicturePatch(
            overlay.description, text: { self.text.withLock { $0 } },
            becomesProgressive: { self.becomesProgressive.withLock { $0 } }, share: { self.share.withLock { $0 } })
        patch.draw = { pixels in
            try await self.book.drawing(of: self.overlay, at: self.path, omitting: self.omission, pixels: pixels)
        }
        return patch
    }

    /// - Throws: `.unsupported` if the page has to be rendered instead.
    func lay(onJPEG bytes: [UInt8]) async throws -> [UInt8] {
        let found = try await seen {
            guard try hasProfile(bytes) else { return nil }
            return try PictureDecoder.decode(bytes, DecodeRequest(.jpeg, maximumPixels: size.area)).raster
        }
        guard !found.isEmpty else { return bytes }
        let laid = try AdapterError.laying { () throws(PictureFault) in
            try JPEGSurgery.lay(found, on: bytes)
        }
        note(laid.share, of: found)
        becomesProgressive.withLock { $0 = laid.becomesProgressive }
        return laid.file
    }

    /// - Throws: `.unsupported` if the page has to be rendered instead.
    func lay(onSamples image: DecodedImage) async throws -> DecodedImage {
        let found = try await seen { image.raster.iccProfile == nil ? nil : image.raster }
        guard !found.isEmpty else { return image }
        guard let (raster, share) = image.raster.laying(found) else {
            throw AdapterError(.unsupported, "no content can be merged into samples of this kind")
        }
        var copy = image
        copy.raster = raster
        note(share, of: found)
        return copy
    }

    /// Records the changed share of the scan. Content on the paper around it changes nothing of the scan.
    ///
    /// - Parameter share: the changed share of the whole image.
    private func note(_ share: Double, of found: PictureOverlay) {
        let area = scan.reduce(0) { $0 + $1.size.area }
        guard area > 0, area < size.area else { return self.share.withLock { $0 = share } }
        let own = share * found.share(within: scan) * Double(size.area) / Double(area)
        // It is visible in any case, and 0 would mean that it is not.
        self.share.withLock { $0 = share > 0 ? min(max(own, .leastNonzeroMagnitude), 1) : 0 }
    }

    /// - Parameter picture: a function that returns the image, if its profile gives its colors another meaning than sRGB;
    ///   otherwise nil.
    private func seen(on picture: () throws -> Raster?) async throws -> PictureOverlay {
        let found = try await book.overlay(overlay, on: size, at: path, omitting: omission)
        text.withLock { $0 = found.text }
        if found.isEmpty { share.withLock { $0 = 0 } }
        // Colors are mixed in sRGB. Black, gray and white look the same in any profile, as far as is visible. `withoutTint`
        // would read a neutral overlay twice more.
        guard !found.isNeutral, !found.withoutTint.isNeutral, let raster = try picture() else { return found }
        let mixed = try AdapterError.laying { () throws(PictureFault) in try found.mixed(on: raster) }
        guard let mixed else {
            throw AdapterError(
                .unsupported, "\(overlay.description) in color lies over an image with a gray color profile")
        }
        return mixed
    }

    private func hasProfile(_ bytes: [UInt8]) throws -> Bool {
        guard let header = JPEGHeader(bytes), let profile = header.iccProfile else { return false }
        return try AdapterError.laying { () throws(PictureFault) in
            try ICCProfile(profile).changesColors(ofGray: header.components.count == 1)
        }
    }
}

extension AdapterError {
    /// Runs work of codecs. An image that they cannot change is rendered, and its damage is reported then.
    static func laying<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(.unsupported, "the content over the image cannot be merged into it (\(error.message))")
        }
    }
}
