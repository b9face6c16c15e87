internal import AdapterKit
internal import CPoppler
internal import Glibc
internal import PageModel

/// A PDF opened through poppler. Belongs to one lane.
final class PopplerFile: PageRenderer {
    private let library: CPopplerFunctions
    private let document: OpaquePointer

    /// - Throws: `.encrypted`, `.damaged`; `.unsupported` where poppler is not installed.
    init(path: String, password: String?) throws(AdapterError) {
        guard let library = cpoppler_load()?.pointee else {
            throw AdapterError(
                .unsupported, "the page has to be drawn, and poppler is not there to do it",
                advice: "install libpoppler-glib8")
        }
        self.library = library
        // By descriptor: a path would have to become a URI first. Poppler closes it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.unreadable, "cannot be opened", file: path) }
        var error: UnsafeMutablePointer<_GError>?
        let (opened, _) = PopplerDiagnostics.during {
            library.poppler_document_new_from_fd(descriptor, password, &error)
        }
        guard let opened else {
            let cause = error.map { String(cString: $0.pointee.message) }
            library.g_clear_error(&error)
            throw AdapterError(.damaged, "the PDF's pages cannot be drawn", cause: cause)
        }
        document = opened
    }

    deinit {
        library.g_object_unref(UnsafeMutableRawPointer(document))
    }

    /// Draws what a page's crop box holds, on white.
    func draw(page index: Int, size: PixelSize, resolution: Double) throws(AdapterError) -> DecodedImage {
        let page = try self.page(index)
        defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
        var (width, height) = (0.0, 0.0)
        library.poppler_page_get_size(page, &width, &height)
        guard width > 0, height > 0, width.isFinite, height.isFinite else {
            throw AdapterError(.damaged, "the page has no size")
        }
        guard
            let canvas = library.cairo_image_surface_create(
                CInt(CPOPPLER_RGB24), CInt(size.width), CInt(size.height)),
            library.cairo_surface_status(canvas) == 0, let pen = library.cairo_create(canvas)
        else { throw AdapterError(.tooLarge, "there is no memory to draw \(size) pixels", advice: "use a lower --dpi") }
        defer {
            library.cairo_destroy(pen)
            library.cairo_surface_destroy(canvas)
        }
        library.cairo_set_source_rgb(pen, 1, 1, 1)
        library.cairo_paint(pen)
        library.cairo_scale(pen, Double(size.width) / width, Double(size.height) / height)
        let (_, diagnostics) = PopplerDiagnostics.during { library.poppler_page_render(page, pen) }
        guard library.cairo_status(pen) == 0 else {
            throw AdapterError(
                .damaged, "the page cannot be drawn",
                cause: library.cairo_status_to_string(library.cairo_status(pen)).map { String(cString: $0) })
        }
        library.cairo_surface_flush(canvas)
        return DecodedImage(
            raster: CairoPixels(library, canvas, size).rgb(resolution: Resolution(resolution)), diagnostics: diagnostics
        )
    }

    /// The samples of a page's only picture, when it is bilevel and `size` large.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage? {
        let page = try self.page(index)
        defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
        // A stencil on a coloured page may be one of several: only a sole picture can be told apart.
        let mappings = library.poppler_page_get_image_mapping(page)
        defer { library.poppler_page_free_image_mapping(mappings) }
        guard library.g_list_length(mappings) == 1, let data = mappings?.pointee.data else { return nil }
        let mapping = data.assumingMemoryBound(to: _PopplerImageMapping.self)
        let (picture, diagnostics) = PopplerDiagnostics.during {
            library.poppler_page_get_image(page, mapping.pointee.image_id)
        }
        guard let surface = picture else { return nil }
        defer { library.cairo_surface_destroy(surface) }
        library.cairo_surface_flush(surface)
        let found = PixelSize(
            width: Int(library.cairo_image_surface_get_width(surface)),
            height: Int(library.cairo_image_surface_get_height(surface)))
        guard found == size else { return nil }
        return CairoPixels(library, surface, size).bilevel().map { DecodedImage(raster: $0, diagnostics: diagnostics) }
    }

    /// The page, which the caller owns.
    private func page(_ index: Int) throws(AdapterError) -> OpaquePointer {
        // What it says of forms and annotations here is of no consequence for the picture.
        let (page, _) = PopplerDiagnostics.during { library.poppler_document_get_page(document, CInt(index)) }
        guard let page else {
            throw AdapterError(.damaged, "the page cannot be found")
        }
        return page
    }
}
