internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel
private import Synchronization
internal import ZipFile

/// The images of a document that form one page together, one below the other: KCC splits pages that are too high for a Kindle.
///
/// Only images that can be joined without loss count; others stay separate pages.
struct StackedPictures: Sendable {
    /// An image, and its place in the document.
    struct StackedPicture: Sendable {
        let reference: PageContent.Reference
        let path: String
        let content: ZipContent
        let header: PictureHeader
        let size: PixelSize

        /// - Returns: nil if the image is missing, unreadable or rotated, or only a part of it is visible.
        init?(_ reference: PageContent.Reference, of container: EPUBContainer) {
            guard reference.part == nil, let path = container.path(of: reference.link, in: reference.base),
                let entry = container.entry(path)
            else { return nil }
            let content = ZipContent(entry, in: container.zip)
            guard let head = try? content.head(count: PictureHeader.headCount), var header = PictureHeader(head) else {
                return nil
            }
            // The data for joining JPEGs may follow a long profile.
            if header.encoding == .jpeg, header.joinKey == nil, head.count < content.byteCount {
                header = (try? content.bytes()).flatMap { PictureHeader($0) } ?? header
            }
            guard let size = header.size, header.isComplete, header.orientation == .upright else { return nil }
            (self.reference, self.path, self.content, self.header, self.size) = (reference, path, content, header, size)
        }
    }

    /// The maximum number of images of a split page.
    private static let maximumPictures = 16

    private let parts: [StackedPicture]
    private let limits: Limits
    let size: PixelSize
    private let damage = Damage()

    /// The defects of the images that joining revealed.
    private final class Damage: Sendable {
        let found = Mutex<Message?>(nil)
    }

    /// Returns nil if the images are not known to be one page, or cannot be joined without loss. The book must be marked as
    /// fixed-layout.
    init?(_ content: PageContent, in container: EPUBContainer, _ limits: Limits) {
        guard (2...StackedPictures.maximumPictures).contains(content.pictures.count) else { return nil }
        let parts = content.pictures.compactMap { StackedPicture($0, of: container) }
        guard parts.count == content.pictures.count, Set(parts.map(\.size.width)).count == 1,
            StackedPictures.fill(content.viewport, parts) || StackedPictures.areHalves(parts.map(\.path)),
            StackedPictures.joinWithoutLoss(parts)
        else { return nil }
        self.parts = parts
        self.limits = limits
        var height = 0
        for part in parts {
            let (sum, overflows) = height.addingReportingOverflow(part.size.height)
            if overflows { return nil }
            height = sum
        }
        size = PixelSize(width: parts[0].size.width, height: height)
        let (area, overflows) = size.width.multipliedReportingOverflow(by: height)
        guard !overflows, area <= limits.pixels, height <= PictureEncoder.maximumPixelsPerSide(parts[0].header.encoding)
        else { return nil }
    }

    /// Whether images of one width fill a page from top to bottom, and no style moves them: then their places are unambiguous.
    private static func fill(_ viewport: PixelSize?, _ parts: [StackedPicture]) -> Bool {
        guard let viewport, !parts.contains(where: \.reference.isMoved) else { return false }
        let stated = parts.compactMap(\.reference.size)
        guard stated.isEmpty || stated.count == parts.count else { return false }
        let sizes = stated.isEmpty ? parts.map(\.size) : stated
        // Each scaled size is rounded.
        let tolerance = Double(parts.count + 1)
        let scale = Double(viewport.width) / Double(sizes[0].width)
        let isUndistorted = zip(parts, sizes).allSatisfy { part, size in
            let own = Double(part.size.height) * Double(size.width) / Double(part.size.width)
            return size.width == sizes[0].width && abs(own - Double(size.height)) <= tolerance
        }
        let height = sizes.reduce(0) { $0 + Double($1.height) } * scale
        return isUndistorted && abs(height - Double(viewport.height)) <= tolerance
    }

    /// Whether files have the names that KCC gives the upper and the lower part of a page: `p-above.jpg`, `p-below.jpg`.
    private static func areHalves(_ paths: [String]) -> Bool {
        guard paths.count == 2 else { return false }
        let stems = paths.map { path in
            let name = FileName.last(of: path)
            return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name[...])
        }
        let (upper, lower) = ("above", "below")
        return stems[0].hasSuffix(upper) && stems[1].hasSuffix(lower)
            && stems[0].dropLast(upper.count) == stems[1].dropLast(lower.count)
    }

    /// Whether the images' coefficients, or their pixels, can be combined in one file unchanged.
    private static func joinWithoutLoss(_ parts: [StackedPicture]) -> Bool {
        let headers = parts.map(\.header)
        if headers.allSatisfy({ $0.encoding == .png }) { return true }
        guard let grid = headers[0].grid, let key = headers[0].joinKey else { return false }
        return headers.allSatisfy { $0.encoding == .jpeg && $0.joinKey == key && $0.grid == grid }
            && parts.dropLast().allSatisfy { $0.size.height.isMultiple(of: grid.height) }
    }

    /// The number of bytes of all images.
    var byteCount: Int {
        parts.reduce(0) { sum, part in
            let (next, overflows) = sum.addingReportingOverflow(part.content.byteCount)
            return overflows ? .max : next
        }
    }

    // MARK: The page

    /// Returns the page's image: a JPEG with the coefficients of all, or samples.
    ///
    /// - Throws: `.tooLarge`.
    func picture() throws(AdapterError) -> Picture {
        for part in parts where part.content.byteCount > limits.entryBytes {
            throw AdapterError(
                .tooLarge, "its \(part.content.byteCount) bytes exceed the limit of \(limits.entryBytes)",
                page: part.path)
        }
        let first = parts[0].header
        let samples = SampledPicture(
            compression: first.encoding.name, size: size, format: nil, read: { try self.samples() })
        guard first.encoding == .jpeg else { return Picture(size: size, representations: [.sampled(samples)]) }
        var jpeg = first.picture(byteCount: byteCount) { try self.jpeg() }
        jpeg.size = size
        jpeg.isGray = parts.allSatisfy(\.header.isGray)
        jpeg.repair = "the page's \(parts.count) JPEGs joined one below the other, their data untouched"
        jpeg.reportDefect { [damage] in damage.found.withLock { $0 } }
        // If one of them is damaged, the others are still usable.
        return Picture(size: size, representations: [.encoded(jpeg), .sampled(samples)])
    }

    private func jpeg() throws(AdapterError) -> [UInt8] {
        var pieces: [JPEGSurgery.Piece] = []
        var top = 0
        for part in parts {
            pieces.append(
                JPEGSurgery.Piece(file: try bytes(of: part), framing: Framing(part.size), y: top, size: part.size))
            top += part.size.height
        }
        let result = try AdapterError.imaging(as: .damaged) { () throws(PictureFault) in
            try JPEGSurgery.compose(pieces, size: size)
        }
        if let diagnostic = result.diagnostic { note("a JPEG is damaged (\(diagnostic))") }
        return result.file
    }

    /// Returns the pixels of all images; white for an unreadable one.
    private func samples() throws(AdapterError) -> DecodedImage {
        var placed: [(raster: Raster, x: Int, y: Int)] = []
        var (diagnostics, fault): ([Message], AdapterError?) = ([], nil)
        var top = 0
        for part in parts {
            do throws(AdapterError) {
                let image = try decoded(part)
                placed.append((image.raster, 0, top))
                diagnostics += image.diagnostics.prefix(1).map { "\(part.path): \($0)" }
            } catch {
                fault = error
                diagnostics.append("\(part.path) is missing: \(error.message)")
            }
            top += part.size.height
        }
        if placed.isEmpty, let fault { throw fault }
        var loss: Message?
        if Set(placed.map(\.raster.iccProfile)).count > 1 {
            try AdapterError.imaging(as: .damaged) { () throws(PictureFault) in
                for index in placed.indices { placed[index].raster = try placed[index].raster.withoutProfile() }
            }
            loss = "converted to sRGB"
        }
        return DecodedImage(
            raster: Raster.composed(placed, size: size, background: .white), diagnostics: diagnostics, loss: loss)
    }

    private func decoded(_ part: StackedPicture) throws(AdapterError) -> DecodedImage {
        let bytes = try bytes(of: part)
        return try AdapterError.imaging(as: .damaged) { () throws(PictureFault) in
            let image = try PictureDecoder.decode(bytes, part.header.encoding, maximumPixels: limits.pixels)
            guard image.raster.size == part.size else { throw PictureFault("its size differs from its header") }
            return image
        }
    }

    private func bytes(of part: StackedPicture) throws(AdapterError) -> [UInt8] {
        let bytes = try part.content.bytes()
        if let defect = part.content.defect { note("\(part.path) \(defect)") }
        return bytes
    }

    private func note(_ defect: Message) {
        damage.found.withLock { $0 = $0 ?? defect }
    }
}

/// The pages that were joined from several images.
struct JoinedPages {
    private var pages: [(number: Int, path: String)] = []
    private var linksAreLost = false

    /// The maximum number of pages that a note lists.
    private static let maximumListed = 10

    mutating func add(_ number: Int, _ path: String, hasLinks: Bool) {
        pages.append((number, path))
        linksAreLost = linksAreLost || hasLinks
    }

    /// One line for the book; nil without such pages.
    var warning: Warning? {
        guard let first = pages.first else { return nil }
        let links: Message = linksAreLost ? "; links over them were left out" : ""
        let named = pages.prefix(JoinedPages.maximumListed).map { String($0.number) }.commaSeparated
        let more: Message =
            pages.count > JoinedPages.maximumListed ? " and \(pages.count - JoinedPages.maximumListed) more" : ""
        return Warning(
            code: "images-joined", page: pages.count == 1 ? first.number : nil,
            subject: pages.count == 1 ? first.path : nil,
            message: pages.count == 1
                ? "its images, one below the other, became one page\(links)"
                : "images that lie one below the other became one page each: pages \(named)\(more)\(links)",
            isNote: !linksAreLost)
    }
}
