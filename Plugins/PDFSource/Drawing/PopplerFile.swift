internal import AdapterKit
internal import CPoppler
internal import Glibc
internal import PageModel

/// A PDF opened through poppler. Belongs to one lane.
final class PopplerFile {
    private let document: OpaquePointer

    /// - Throws: `.encrypted`, `.damaged`.
    init(path: String, password: String?) throws(AdapterError) {
        // By descriptor: a path would have to become a URI first. Poppler closes it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.unreadable, "cannot be opened", file: path) }
        var error: UnsafeMutablePointer<GError>?
        let (opened, _) = PopplerComplaints.during { poppler_document_new_from_fd(descriptor, password, &error) }
        guard let opened else {
            let cause = error.map { String(cString: $0.pointee.message) }
            g_clear_error(&error)
            throw AdapterError(.damaged, "the PDF's pages cannot be drawn", cause: cause)
        }
        document = opened
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(document))
    }

    /// Draws what a page's crop box holds, on white.
    func draw(page index: Int, size: PixelSize, resolution: Double) throws(AdapterError) -> Drawing {
        let page = try self.page(index)
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        var (width, height) = (0.0, 0.0)
        poppler_page_get_size(page, &width, &height)
        guard width > 0, height > 0 else { throw AdapterError(.damaged, "the page has no size") }
        guard let canvas = cairo_image_surface_create(CAIRO_FORMAT_RGB24, CInt(size.width), CInt(size.height)),
            cairo_surface_status(canvas) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(canvas)
        else { throw AdapterError(.tooLarge, "there is no memory to draw \(size) pixels", advice: "use a lower --dpi") }
        defer {
            cairo_destroy(pen)
            cairo_surface_destroy(canvas)
        }
        cairo_set_source_rgb(pen, 1, 1, 1)
        cairo_paint(pen)
        cairo_scale(pen, Double(size.width) / width, Double(size.height) / height)
        let (_, complaints) = PopplerComplaints.during { poppler_page_render(page, pen) }
        guard cairo_status(pen) == CAIRO_STATUS_SUCCESS else {
            throw AdapterError(
                .damaged, "the page cannot be drawn", cause: String(cString: cairo_status_to_string(cairo_status(pen))))
        }
        cairo_surface_flush(canvas)
        return Drawing(
            raster: CairoPixels(canvas, size).rgb(resolution: Resolution(resolution)), complaints: complaints)
    }

    /// The samples of a page's only picture, when it is bilevel and `size` large.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> Drawing? {
        let page = try self.page(index)
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        // A stencil on a coloured page may be one of several: only a sole picture can be told apart.
        let mappings = poppler_page_get_image_mapping(page)
        defer { poppler_page_free_image_mapping(mappings) }
        guard g_list_length(mappings) == 1, let data = mappings?.pointee.data else { return nil }
        let mapping = data.assumingMemoryBound(to: PopplerImageMapping.self)
        let (picture, complaints) = PopplerComplaints.during {
            poppler_page_get_image(page, mapping.pointee.image_id)
        }
        guard let surface = picture else { return nil }
        defer { cairo_surface_destroy(surface) }
        cairo_surface_flush(surface)
        let found = PixelSize(
            width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)))
        guard found == size else { return nil }
        return CairoPixels(surface, size).bilevel().map { Drawing(raster: $0, complaints: complaints) }
    }

    /// The page, which the caller owns.
    private func page(_ index: Int) throws(AdapterError) -> OpaquePointer {
        // What it says of forms and annotations here is of no consequence for the picture.
        let (page, _) = PopplerComplaints.during { poppler_document_get_page(document, CInt(index)) }
        guard let page else {
            throw AdapterError(.damaged, "the page cannot be found")
        }
        return page
    }
}
