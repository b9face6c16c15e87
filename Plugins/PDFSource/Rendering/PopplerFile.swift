internal import CPoppler
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Synchronization

internal import func Glibc.pthread_self
internal import typealias Glibc.pthread_t

/// A PDF opened through poppler. It belongs to one worker.
final class PopplerFile: PageRenderer {
    let library: CPopplerFunctions
    private let document: OpaquePointer
    /// The reader that poppler uses as long as the document exists.
    private let reader: ErrorRecordingReader

    /// - Throws: `.encrypted`, `.damaged`; `.unreadable` for a disk error; `.unsupported` if poppler is not installed.
    init(_ source: any ByteSource, password: String?) throws(AdapterError) {
        guard let library = cpoppler_load()?.pointee else {
            throw AdapterError(
                .unsupported, "the page must be rendered, but poppler is not installed",
                hint: "install libpoppler-glib8")
        }
        self.library = library
        let reader = ErrorRecordingReader(source)
        self.reader = reader
        var error: UnsafeMutablePointer<_GError>?
        let (opened, _) = PopplerDiagnostics.during {
            cpoppler_open(
                { ErrorRecordingReader.read($0, $1, $2, $3) }, Unmanaged.passUnretained(reader).toOpaque(),
                Int64(source.size), password, &error)
        }
        guard let opened else {
            let cause = error.map { Message(verbatim: String(cString: $0.pointee.message)) }
            library.g_clear_error(&error)
            if let fault = reader.fault { throw fault }
            throw AdapterError(.damaged, "the PDF's pages cannot be rendered", cause: cause)
        }
        document = opened
        if let fault = reader.fault {
            library.g_object_unref(UnsafeMutableRawPointer(opened))
            throw fault
        }
    }

    deinit {
        library.g_object_unref(UnsafeMutableRawPointer(document))
    }

    /// Renders the contents of a page's crop box on white.
    func draw(
        page index: Int, of file: [UInt8]? = nil, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) throws(AdapterError) -> DecodedImage {
        if let file {
            return try PopplerFile(MemoryBytes(file), password: nil)
                .draw(page: index, size: size, resolution: resolution, grid)
        }
        return try rethrowingReadErrors { () throws(AdapterError) in
            try drawn(page: index, size: size, resolution: resolution, grid)
        }
    }

    /// Returns the samples of the only image of a page with the size `size`, if it is bilevel.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage? {
        try rethrowingReadErrors { () throws(AdapterError) in try onlyImage(onPage: index, size: size) }
    }

    /// Returns the effect of the request's page on the pixels of an image below it.
    func overlay(_ request: OverlayRequest) throws(AdapterError) -> OverlayPixels {
        try PopplerFile(MemoryBytes(request.file), password: nil).overlay(request.size, request.matrix)
    }

    /// Returns the result of `body`, unless poppler met a disk error meanwhile: it leaves unreadable parts white.
    func rethrowingReadErrors<Value>(_ body: () throws(AdapterError) -> Value) throws(AdapterError) -> Value {
        let result = Result { () throws(AdapterError) in try body() }
        if let fault = reader.fault { throw fault }
        return try result.get()
    }

    private func drawn(
        page index: Int, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) throws(AdapterError) -> DecodedImage {
        let page = try self.page(index)
        defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
        let (width, height) = try self.size(of: page)
        guard
            let canvas = library.cairo_image_surface_create(
                CInt(CPOPPLER_RGB24), CInt(size.width), CInt(size.height)),
            library.cairo_surface_status(canvas) == 0, let pen = library.cairo_create(canvas)
        else { throw AdapterError(.tooLarge, "out of memory to render \(size) pixels", hint: "use a lower --dpi") }
        defer {
            library.cairo_destroy(pen)
            library.cairo_surface_destroy(canvas)
        }
        library.cairo_set_source_rgb(pen, 1, 1, 1)
        library.cairo_paint(pen)
        if let grid { library.cairo_translate(pen, grid.right, grid.below) }
        library.cairo_scale(
            pen, grid?.across ?? Double(size.width) / width, grid?.down ?? Double(size.height) / height)
        let (_, diagnostics) = PopplerDiagnostics.during { library.poppler_page_render(page, pen) }
        guard library.cairo_status(pen) == 0 else {
            throw AdapterError(
                .damaged, "the page cannot be rendered",
                cause: library.cairo_status_to_string(library.cairo_status(pen)).map {
                    Message(verbatim: String(cString: $0))
                })
        }
        library.cairo_surface_flush(canvas)
        return DecodedImage(
            raster: Raster(
                size: size, format: .rgb(bits: 8), samples: CairoPixels(library, canvas, size).rgb(),
                resolution: Resolution(resolution)), diagnostics: diagnostics)
    }

    private func onlyImage(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage? {
        let page = try self.page(index)
        defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
        let mappings = library.poppler_page_get_image_mapping(page)
        defer { library.poppler_page_free_image_mapping(mappings) }
        // Only an image whose size is unique on the page can be identified.
        guard library.g_list_length(mappings) <= PopplerFile.maximumPictures else { return nil }
        var found: DecodedImage?
        var link = mappings
        while let mapping = link?.pointee.data.assumingMemoryBound(to: _PopplerImageMapping.self) {
            link = link?.pointee.next
            let (picture, diagnostics) = PopplerDiagnostics.during {
                library.poppler_page_get_image(page, mapping.pointee.image_id)
            }
            guard let surface = picture else { continue }
            defer { library.cairo_surface_destroy(surface) }
            library.cairo_surface_flush(surface)
            let width = Int(library.cairo_image_surface_get_width(surface))
            guard size == PixelSize(width: width, height: Int(library.cairo_image_surface_get_height(surface))) else {
                continue
            }
            if found != nil { return nil }
            guard let raster = CairoPixels(library, surface, size).bilevel() else { return nil }
            found = DecodedImage(raster: raster, diagnostics: diagnostics)
        }
        return found
    }

    /// The maximum number of images. Each costs the time of rendering the page, so pages with more images are rendered instead.
    private static let maximumPictures = 16

    /// Returns the width and height of a page's visible part, in points.
    func size(of page: OpaquePointer) throws(AdapterError) -> (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        library.poppler_page_get_size(page, &width, &height)
        guard width > 0, height > 0, width.isFinite, height.isFinite else {
            throw AdapterError(.damaged, "the page has no size")
        }
        return (width, height)
    }

    /// Returns the page, which the caller owns.
    func page(_ index: Int) throws(AdapterError) -> OpaquePointer {
        // Messages about forms and annotations do not matter for the image.
        let (page, _) = PopplerDiagnostics.during { library.poppler_document_get_page(document, CInt(index)) }
        guard let page else {
            throw AdapterError(.damaged, "the page cannot be found")
        }
        return page
    }
}

/// The pixels of a cairo surface: one native 32-bit word each, with red, green and blue in the low 24 bits.
struct CairoPixels {
    private let library: CPopplerFunctions
    private let surface: OpaquePointer
    private let size: PixelSize

    init(_ library: CPopplerFunctions, _ surface: OpaquePointer, _ size: PixelSize) {
        self.library = library
        self.surface = surface
        self.size = size
    }

    /// The levels of gray, row by row; nil if a pixel has a color.
    func gray() -> [UInt8]? {
        var isGray = true
        let levels = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            var index = 0
            forEachRow { row in
                // Green and blue differ from red and green, if at all. The loop has no branch, so that the compiler can
                // process several pixels at a time.
                var difference: UInt32 = 0
                let levels = UnsafeMutableBufferPointer(rebasing: output[index..<index + row.count])
                for x in row.indices {
                    difference |= (row[x] ^ row[x] &>> 8) & 0xFFFF
                    levels[x] = UInt8(truncatingIfNeeded: row[x])
                }
                index += row.count
                isGray = isGray && difference == 0
            }
            count = index
        }
        return isGray ? levels : nil
    }

    /// The red, green and blue of each pixel, row by row.
    func rgb() -> [UInt8] {
        let total = 3 * size.area
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            var index = 0
            forEachRow { row in
                for pixel in row {
                    output[index] = UInt8(truncatingIfNeeded: pixel >> 16)
                    output[index + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    output[index + 2] = UInt8(truncatingIfNeeded: pixel)
                    index += 3
                }
            }
            count = total
        }
    }

    /// Returns the image with one bit a pixel; nil if a pixel is neither black nor white.
    func bilevel() -> Raster? {
        let rowBytes = (size.width + 7) / 8
        var samples = [UInt8](repeating: 0, count: rowBytes * size.height)
        var start = 0
        var difference: UInt32 = 0
        samples.withUnsafeMutableBufferPointer { samples in
            forEachRow { row in
                // All bits of black and white are equal. The loop has no branch, as above.
                for pixel in row { difference |= (pixel ^ (0 &- pixel & 1)) & 0xFF_FFFF }
                for place in 0..<rowBytes {
                    let pixels = 8 * place..<min(size.width, 8 * place + 8)
                    var byte: UInt8 = 0
                    for x in pixels { byte = byte &<< 1 | UInt8(truncatingIfNeeded: row[x] & 1) }
                    samples[start + place] = byte &<< UInt8(8 - pixels.count)
                }
                start += rowBytes
            }
        }
        return difference == 0 ? Raster(size: size, format: .gray(bits: 1), samples: samples) : nil
    }

    func forEachRow(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        guard let data = library.cairo_image_surface_get_data(surface) else { return }
        let stride = Int(library.cairo_image_surface_get_stride(surface))
        for y in 0..<size.height {
            let row = UnsafeRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
            body(UnsafeBufferPointer(start: row, count: size.width))
        }
    }
}

/// The faults that poppler reports during rendering: it continues after each, and reports it only to its log.
enum PopplerDiagnostics {
    private static let recorded = Mutex<[pthread_t: [Message]]>([:])

    /// The redirection of GLib's log for the whole program. Messages of threads without a listener are dropped.
    private static let listening: Void = {
        guard let library = cpoppler_load()?.pointee else { return }
        library.g_log_set_writer_func(
            { _, fields, count, _ in
                for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
                    guard let key = field.key, let value = field.value, String(cString: key) == "MESSAGE" else {
                        continue
                    }
                    let bytes = value.assumingMemoryBound(to: CChar.self)
                    PopplerDiagnostics.note(String(cString: bytes))
                }
                return CUnsignedInt(CPOPPLER_LOG_HANDLED)
            }, nil, nil)
    }()

    private static func note(_ message: String) {
        guard let fault = fault(in: message) else { return }
        recorded.withLock { recorded in
            if let count = recorded[pthread_self()]?.count, count < 20 { recorded[pthread_self()]?.append(fault) }
        }
    }

    /// The parts of messages about things that are not painted. Poppler calls them errors, but the page lacks nothing.
    private static let harmless = [
        // Operators that restore a state which was never saved, and states that are restored at the end.
        "no valid states to pop", "more q than Q", "more Q than q", "Found state under last state guard",
        // Numbers without an operator at the end.
        "Leftover args in content stream",
        // The logical structure, and actions.
        "StructParents", "Movie action", "Rendition action",
        // The text for searching and copying.
        "ToUnicode CMap",
    ]

    /// Returns the fault without "Syntax error at position 123: ". It is nil for a message that poppler itself calls a
    /// warning, and for one about something that is not painted.
    static func fault(in message: String) -> Message? {
        if message.hasPrefix("Syntax warning") || harmless.contains(where: { message.contains($0) }) {
            return nil
        }
        // Poppler writes unprintable characters as <0a>, which is useless to a person.
        let plain = message.replacing(/\ ?<[0-9a-f]{2}>/, with: "")
        guard let place = plain.firstRange(of: " at position "),
            let colon = plain[place.upperBound...].firstRange(of: ": ")
        else { return Message(verbatim: plain) }
        return Message(verbatim: String(plain[colon.upperBound...]))
    }

    /// Calls `body`, and returns the messages of poppler on this thread meanwhile.
    static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (Result, [Message]) {
        _ = listening
        recorded.withLock { $0[pthread_self()] = [] }
        defer { recorded.withLock { _ = $0.removeValue(forKey: pthread_self()) } }
        let result = try body()
        return (result, recorded.withLock { $0[pthread_self()] } ?? [])
    }
}
