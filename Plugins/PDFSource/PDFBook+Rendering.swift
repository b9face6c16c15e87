internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// The rendering of pages, and of the content over their scans.
extension PDFBook {
    /// Renders the content over a page's scan alone, as the page shows it.
    ///
    /// - Parameter pixels: the length of the shorter side.
    func drawing(
        of overlay: Extraction.Overlay, at path: PageTree.Path, omitting omission: PageOmission, pixels: Int
    ) async throws -> Raster {
        let geometry = try await structure.analysis(onPageAt: path, showing: box, scans.pagesAs).geometry
        let file = try await structure.file(
            ofPageAt: path, omitting: omission, showing: .except(overlay.below, others: overlay.pictures), in: box)
        let (width, height) = geometry.size
        let resolution = 72 * Double(pixels) / min(width, height)
        let size = DrawnPicture.size(width, height, at: resolution)
        return try await drawing.withWorker {
            try await $0.draw(page: 0, of: file, size: size, resolution: resolution, nil).raster
        }
    }

    /// Returns the way to render a page. A rendering that is coarser than it should be has a defect.
    func drawnPicture(
        _ index: Int, at path: PageTree.Path, _ analysis: PageAnalysis, omitting omission: PageOmission
    ) -> DrawnPicture {
        let (width, height) = analysis.geometry.size
        let wanted = analysis.naturalResolution ?? PageAnalyzer.resolutionOfVectors
        // With the resolution that jisui would choose itself, `--dpi` changes nothing.
        let usual = PDFBook.whole(analysis.layers?.resolution ?? wanted)
        let given = resolution.flatMap { PDFBook.whole($0) == usual ? nil : $0 }
        func picture(_ resolution: Double, _ layers: ScanLayers? = nil) -> DrawnPicture {
            var drawn = DrawnPicture(width: width, height: height, resolution: resolution) {
                throw analysis.drawingRefusal
                    ?? AdapterError(.unsupported, "the page is too large to render", hint: "use a lower --dpi")
            }
            if let layers { (drawn.size, drawn.layers) = (layers.size, layers.count) }
            let size = drawn.size
            // Another resolution differs from that for which its pixels were encoded.
            if given == nil { drawn.likeness = likeness(analysis) }
            let isFaithful = analysis.faithfulness != .ordinary
            if analysis.drawingRefusal == nil, PDFBook.maximumPixelsPerSide >= max(size.width, size.height),
                size.area <= limits.pixels
            {
                drawn.draw = {
                    try await self.draw(
                        index, at: path, omitting: omission, isFaithful, size, resolution, layers?.grid)
                }
                drawn.drawAt = { other in
                    let small = DrawnPicture(width: width, height: height, resolution: min(other, resolution)) {
                        throw CancellationError()
                    }
                    return try await self.draw(
                        index, at: path, omitting: omission, isFaithful, small.size, small.resolution, nil)
                }
            }
            return drawn
        }
        if let given { return picture(given) }
        let across = Double(PDFBook.maximumPixelsPerSide - 1) * 72 / max(width, height)
        let pixels = min(limits.pixels, PDFBook.defaultMaximumPixels, limits.memory / PDFBook.bytesPerPixel)
        let byArea = (Double(pixels) / (width * height)).squareRoot() * 72
        let possible = min(across, byArea)
        if let layers = analysis.layers, layers.resolution <= possible { return picture(layers.resolution, layers) }
        // Only an explicit resolution may exceed the default limit, which here is also that of the layers.
        if let resolution, wanted > possible || analysis.layers != nil { return picture(resolution) }
        if wanted <= possible { return picture(wanted) }
        var coarser = picture(max(possible.rounded(.down), 1))
        coarser.defect =
            "rendered at \(PDFBook.whole(coarser.resolution)) pixels per inch, because "
            + "\(PDFBook.whole(wanted)) would make it too large"
        return coarser
    }

    /// Renders a page without the objects that are removed.
    ///
    /// - Parameter isFaithful: whether to replace what poppler would show in other colors.
    private func draw(
        _ index: Int, at path: PageTree.Path, omitting omission: PageOmission, _ isFaithful: Bool, _ size: PixelSize,
        _ resolution: Double, _ grid: PixelGrid?
    ) async throws -> DecodedImage {
        try await structure.checkReadable(pageAt: path)
        let file =
            omission.isEmpty && !isFaithful
            ? nil
            : try await structure.file(
                ofPageAt: path, omitting: omission, showing: .all, in: box, isFaithful: isFaithful)
        return try await drawing.withWorker {
            try await $0.draw(page: file == nil ? index : 0, of: file, size: size, resolution: resolution, grid)
        }
    }

    private func likeness(_ analysis: PageAnalysis) -> DrawnPicture.Likeness? {
        if analysis.layers != nil { return .layers }
        return switch analysis.likeness {
        case .jpeg(let stream):
            .jpeg {
                try await self.decompression.withWorker {
                    try await $0.data(of: stream, kept: 1, limit: self.limits.entryBytes)
                }
            }
        case .layers: .layers
        case .bilevel: .bilevel
        case nil: nil
        }
    }

    /// The maximum width and height of cairo.
    private static let maximumPixelsPerSide = 32_767
    /// The default limit; an explicit resolution may exceed it.
    private static let defaultMaximumPixels = 150_000_000
    /// The bytes for rendering a pixel and encoding it as PNG or JPEG, rounded up: 8.2 were measured. A coarser page is better
    /// than one that is left out because it takes too much memory.
    private static let bytesPerPixel = 10
}
