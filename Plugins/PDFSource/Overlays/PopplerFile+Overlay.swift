internal import CPoppler
internal import Imaging
internal import PDFStructure
internal import PageModel

extension PopplerFile {
    /// Returns the effect of the first page on each pixel of an image below everything that the page paints.
    ///
    /// The page is rendered on black, on white and on a color. The first two renderings give the change of every level. The third
    /// shows whether a factor and an addend can express it.
    ///
    /// - Parameter matrix: the transformation from the page to the image's pixels. The page is as poppler renders it.
    /// - Throws: `.unsupported` if it cannot be expressed in this way, or cannot be rendered completely; `.tooLarge`.
    func overlay(_ size: PixelSize, _ matrix: Matrix) throws(AdapterError) -> OverlayPixels {
        try rethrowingReadErrors { () throws(AdapterError) in
            let page = try self.page(0)
            defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
            guard let rect = try inked(page, size, matrix) else { return OverlayPixels([]) }
            var found = OverlayAreas(rect)
            // One canvas for all: the memory of a new one would take longer to get than its content to draw.
            guard
                let canvas = library.cairo_image_surface_create(
                    CInt(CPOPPLER_RGB24), CInt(rect.width), CInt(rect.height)),
                library.cairo_surface_status(canvas) == 0
            else { throw PopplerFile.noMemory }
            defer { library.cairo_surface_destroy(canvas) }
            for color in [[0, 0, 0], [255, 255, 255], OverlayDrawingLimits.probe] {
                try render(page, to: canvas, at: (rect.x, rect.y), matrix, on: color)
                library.cairo_surface_flush(canvas)
                try found.add(CairoPixels(library, canvas, rect.size))
            }
            return OverlayPixels(found.areas, text: visibleText(try self.size(of: page), matrix, in: found))
        }
    }

    /// Returns the lines of the first page's text in which every word is visible. This excludes a scan's invisible text, and
    /// words under opaque shapes, which must not be uncovered by a report.
    private func visibleText(
        _ page: (width: Double, height: Double), _ matrix: Matrix, in found: OverlayAreas
    ) -> String? {
        // Unreadable text is not a reason to lose the overlay.
        let lines = (try? text(onPage: 0)) ?? []
        let visible = lines.filter { line in
            line.words.allSatisfy { word in
                let (area, width, height) = (word.area, page.width, page.height)
                let box = PDFBox(
                    left: area.left * width, bottom: area.top * height, right: area.right * width,
                    top: area.bottom * height)
                return found.showsLetters(in: matrix.bounds(of: box))
            }
        }
        let words = visible.flatMap(\.words).map(\.text).joined(separator: " ")
        if words.isEmpty { return nil }
        let maximum = OverlayDrawingLimits.maximumLetters
        return words.count > maximum ? words.prefix(maximum) + "…" : words
    }

    /// Returns the part of the image outside which nothing is painted; nil if nothing is.
    private func inked(
        _ page: OpaquePointer, _ size: PixelSize, _ matrix: Matrix
    ) throws(AdapterError) -> PixelRect? {
        guard let recording = library.cairo_recording_surface_create(CUnsignedInt(CPOPPLER_COLOR_ALPHA), nil) else {
            throw PopplerFile.noMemory
        }
        defer { library.cairo_surface_destroy(recording) }
        try render(page, to: recording, at: (0, 0), matrix)
        var (x, y, width, height) = (0.0, 0.0, 0.0, 0.0)
        library.cairo_recording_surface_ink_extents(recording, &x, &y, &width, &height)
        guard width > 0, height > 0 else { return nil }
        // One more pixel on each side for antialiasing.
        func clamped(_ value: Double, _ maximum: Int) -> Int { Int(clamping: value, to: 0...maximum) }
        let (left, top) = (clamped(x.rounded(.down) - 1, size.width), clamped(y.rounded(.down) - 1, size.height))
        let right = clamped((x + width).rounded(.up) + 1, size.width)
        let bottom = clamped((y + height).rounded(.up) + 1, size.height)
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// - Parameter color: the color with which the surface is filled first; nil for no fill.
    private func render(
        _ page: OpaquePointer, to surface: OpaquePointer, at origin: (x: Int, y: Int), _ matrix: Matrix,
        on color: [UInt8]? = nil
    ) throws(AdapterError) {
        guard let pen = library.cairo_create(surface) else { throw PopplerFile.noMemory }
        defer { library.cairo_destroy(pen) }
        if let color {
            let levels = color.map { Double($0) / 255 }
            library.cairo_set_source_rgb(pen, levels[0], levels[1], levels[2])
            library.cairo_paint(pen)
        }
        library.cairo_translate(pen, -Double(origin.x), -Double(origin.y))
        var transformation = _cairo_matrix(
            xx: matrix.a, yx: matrix.b, xy: matrix.c, yy: matrix.d, x0: matrix.e, y0: matrix.f)
        library.cairo_transform(pen, &transformation)
        let (_, faults) = PopplerDiagnostics.during { library.poppler_page_render(page, pen) }
        if let fault = faults.first {
            throw AdapterError(.unsupported, "the content over the image may be incomplete (\(fault))")
        }
        guard library.cairo_status(pen) == 0 else {
            throw AdapterError(.unsupported, "the content over the image cannot be rendered separately")
        }
    }

    private static let noMemory = AdapterError(.tooLarge, "out of memory to render the marks over the image")
}
