internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// The result of analyzing one page.
struct PageAnalysis: Sendable {
    let geometry: PageGeometry
    /// The method of extracting the page's single image; nil if it has to be rendered.
    var extraction: Extraction?
    /// The method of joining the page's scan, if it is not a single image that fills the page.
    var mosaic: ScanMosaic?
    /// The layers of the page's scan, if it is neither.
    var layers: ScanLayers?
    /// The reason that the page is neither a single image nor a scan that can be joined from its parts.
    var reason: Message?
    /// Whether the whole content was read, and shows nothing.
    var isBlank = false
    /// Whether the page is a scan for which `--pages-as` changes the output.
    var dependsOnPagesAs = false
    /// The slant in degrees, clockwise, with which the page shows its scan. Nil if the scan is upright, or if even
    /// `--pages-as scan` does not extract it.
    var slant: Double?
    /// The resolution of the largest image on the page, in pixels per inch.
    var naturalResolution: Double?
    /// The encoding of the pixels that a rendering at this resolution shows.
    var likeness: PageLikeness?
    var defects: [Message] = []
    /// Whether poppler shows the page in its colors.
    var faithfulness = Faithfulness.ordinary
    /// Whether the page's content may show text.
    var mayHaveText = true
    /// Whether the page's content has text as far as it was read.
    var showsText = false
    /// Whether a part of the text is visible, and another part is not.
    var textVisibility: (isVisible: Bool, isInvisible: Bool) = (true, false)
    /// Whether a link annotation has a target.
    var hasLinks = false
    /// The contents that only a copy of the page keeps.
    var documentParts: Set<DocumentPart> = []
    /// The reason that the page must not be rendered.
    var drawingRefusal: AdapterError?
    /// The objects over the page's scan that may be removed; nil without such objects, or if they were not requested.
    var stamps: Stamps?

    /// Whether the page's scan is taken from the file, from one image or several.
    var isExtracted: Bool { extraction != nil || mosaic != nil }
}

/// The reason that a page's image cannot be extracted as it is; it completes the sentence "rendered because …".
struct Refusal: Error {
    let reason: Message
    /// Whether the file is damaged, so that rendering may not return the whole page either.
    let isDamage: Bool
    /// Whether it is about the arrangement of images on the page.
    var isOfArrangement = false

    init(_ reason: Message, isDamage: Bool = false) {
        self.reason = reason
        self.isDamage = isDamage
    }
}

/// A judge that decides whether a page *is* one image, so that the image may replace the page.
///
/// These conditions have to be met:
///
/// - The content over the image can be drawn on its own pixels (`overlay`).
/// - The image is opaque (`extraction`), upright except for quarter turns, and fills the page (`PicturePlacement`).
/// - Its samples have the same meaning in an image file (`PDFImage`).
/// - Data that only the PDF has can be put into that file (`EmbeddedJPEG`).
///
/// Content below an opaque image that fills the page is invisible, so it does not count.
struct PageAnalyzer {
    let file: PDFFile
    let layers: OptionalContent
    let limits: Limits
    /// The processor time in seconds for the analysis of a page.
    let seconds: Int
    /// The output for scans with content over them.
    let pagesAs: PagesAs
    /// The files attached to the document as a whole, which do not count as files of pages.
    var attachedFiles: Set<PDFReference> = []
    /// Whether to find the scan below any content, even if its pixels could not express the content.
    var removesOverlay = false
    /// Whether to find the objects over the scan that may be removed.
    var findsStamps = false

    /// - Parameter removed: the objects without which the page is analyzed.
    func analysis(
        on page: PageNode, showing box: PageBox, without removed: Stamps.Removal? = nil
    ) -> PageAnalysis {
        let geometry = PageGeometry(page, showing: box)
        var analysis = PageAnalysis(geometry: geometry)
        let annotations = AnnotationContents(
            page, layers, attachedFiles, without: Set(removed?.omission.annotations ?? []))
        (analysis.hasLinks, analysis.documentParts) = (annotations.haveLinks, annotations.parts)
        var interpreter = ContentInterpreter(file, layers: layers, seconds: seconds)
        do {
            try interpreter.run(page: page)
        } catch {
            analysis.showsText = interpreter.hasText
            analysis.reason = error.message
            if interpreter.isHostile { analysis.drawingRefusal = error }
            if error.code == .damaged {
                analysis.defects.append("its content is damaged (\(error.cause ?? error.message))")
            }
            return analysis
        }
        if findsStamps { analysis.stamps = stamps(on: page, interpreter, geometry) }
        interpreter.remove(removed?.marks ?? [])
        analysis.isBlank = interpreter.marks.isEmpty
        (analysis.mayHaveText, analysis.showsText) = (interpreter.hasText, interpreter.hasText)
        let showsText = interpreter.marks.contains { if case .text = $0 { true } else { false } }
        analysis.textVisibility = (showsText, !interpreter.invisibleText.isEmpty)
        analysis.naturalResolution = resolution(of: interpreter.marks, geometry)
        analysis.likeness = likeness(of: interpreter.marks, geometry, analysis.naturalResolution)
        let marks = interpreter.marks
        let slant = marks.slant(on: geometry)
        if pagesAs == .scan { interpreter.marks = marks.straightened }
        do throws(Refusal) {
            analysis.extraction = try extraction(from: interpreter, geometry)
        } catch let refusal {
            analysis.reason = refusal.reason
            do throws(Refusal) {
                analysis.mosaic = try mosaic(from: interpreter, geometry)
            } catch {
                // The reason against a single image is more informative, unless their arrangement is the reason.
                analysis.reason = error.isOfArrangement ? error.reason : refusal.reason
                if refusal.isDamage { analysis.defects.append(refusal.reason) }
            }
        }
        if !analysis.isExtracted { analysis.layers = layers(of: marks, geometry) }
        judgeFaithfulness(of: interpreter, in: &analysis)
        let overlay = analysis.extraction?.overlay ?? analysis.mosaic?.overlay
        switch pagesAs {
        case .auto:
            if slant != nil, !analysis.isExtracted, isExtractedWithoutSlant(interpreter, geometry) {
                analysis.slant = slant
            }
        case .scan:
            if analysis.isExtracted { analysis.slant = slant }
            analysis.dependsOnPagesAs = overlay != nil || removed != nil || analysis.slant != nil
        case .page where overlay != nil || analysis.mosaic != nil:
            analysis.dependsOnPagesAs = true
            analysis.reason = overlay.map { "\($0.description) lies over the image" } ?? analysis.reason
            (analysis.extraction, analysis.mosaic) = (nil, nil)
        case .page:
            analysis.dependsOnPagesAs = analysis.layers != nil
            analysis.layers = nil
        }
        return analysis
    }

    /// Whether `--pages-as scan` would extract the scan of a page that shows it slanted.
    private func isExtractedWithoutSlant(_ interpreter: ContentInterpreter, _ geometry: PageGeometry) -> Bool {
        let analyzer = PageAnalyzer(file: file, layers: layers, limits: limits, seconds: seconds, pagesAs: .scan)
        var straight = interpreter
        straight.marks = interpreter.marks.straightened
        return (try? analyzer.extraction(from: straight, geometry)) != nil
            || (try? analyzer.mosaic(from: straight, geometry)) != nil
    }

    /// - Parameter interpreter: the interpreter that has read the page.
    func extraction(
        from interpreter: ContentInterpreter, _ geometry: PageGeometry
    ) throws(Refusal) -> Extraction {
        let marks = interpreter.marks
        var first: Refusal?
        // Content below an opaque image that fills the page does not count: the topmost image that can be extracted is the page.
        for (index, mark) in marks.enumerated().reversed() {
            // Only references could hide an inline image below other content.
            guard let picture = index == marks.count - 1 ? mark.painted : mark.xObject else { continue }
            do throws(Refusal) {
                let over = Array(marks[(index + 1)...])
                var extraction = try extraction(
                    of: picture, geometry, hasBelow: index > 0, hasAbove: !over.isEmpty)
                if !over.isEmpty {
                    guard let toUnit = picture.state.matrix.inverse else { throw Refusal("the image is empty") }
                    extraction.overlay = try overlay(
                        marks, from: index + 1, on: [picture], extraction.resolution,
                        toUnit.then(Matrix(pixelsOf: extraction.size)), isMixed: interpreter.mixesInGroups, geometry)
                }
                return extraction
            } catch {
                first = first ?? error
            }
        }
        guard let first else { throw Refusal(PageAnalyzer.nature(of: marks)) }
        if let top = marks.last {
            // Content over all images is more informative than a defect of the last.
            guard top.painted != nil else {
                throw Refusal("\(top.description) lies over the image; \(first.reason)")
            }
        }
        let count = marks.count { $0.painted != nil }
        // For a page of many pieces their number is more informative than a defect of the last.
        throw count > 1 ? Refusal("the page is made of \(count) images") : first
    }

    /// The reason that a page without content has no image.
    static let blank: Message = "the page is blank"

    private static func nature(of marks: [Mark]) -> Message {
        guard let first = marks.first else { return blank }
        if marks.contains(where: { if case .inlinePicture(nil) = $0 { true } else { false } }) {
            return "the page's image is written into its content"
        }
        return "the page holds \(first.description) and no image"
    }

    func extraction(
        of painted: PaintedPicture, _ geometry: PageGeometry, hasBelow: Bool, hasAbove: Bool, isPart: Bool = false
    ) throws(Refusal) -> Extraction {
        if painted.state.isTranslucent { throw Refusal("the image is painted translucently") }
        let image = try PDFImage(painted.object, resources: painted.resources, file: file)
        guard let stream = painted.object.reference else { throw Refusal("the image is not an object of its own") }
        if image.color == .stencil {
            guard !hasBelow else { throw Refusal("the page is made of several layers") }
            guard painted.state.fill.isBlack else { throw Refusal("the image is a stencil in a color") }
        }
        if image.alpha != nil, hasBelow || hasAbove { throw Refusal("the page is made of several layers") }
        let placement =
            isPart
            ? try PicturePlacement(ofPart: painted, image.size, geometry)
            : try PicturePlacement(painted, image.size, geometry)
        func made(_ kind: Extraction.Kind, kept: Int, place: Range<Int>? = nil) -> Extraction {
            Extraction(
                kind: kind, stream: stream, kept: kept, place: place, size: image.size, format: image.pixelFormat,
                isInverted: image.isInverted, profile: image.profile, alpha: image.alpha, pending: placement.pending,
                resolution: placement.resolution, inlineData: painted.inlineData(keepingFilters: kept, file))
        }
        switch image.filters.last {
        case "DCTDecode", "DCT":
            let place = image.filters.count == 1 && !painted.isInline ? self.place(of: painted.object) : nil
            let jpeg = try EmbeddedJPEG(image, place: place, self)
            return made(.jpeg(jpeg), kept: 1, place: place)
        case "JPXDecode":
            guard !image.isInverted, image.color == .own || image.color == .gray || image.color == .rgb else {
                throw Refusal("the image uses the colors of the page")
            }
            guard let head = try? file.data(of: painted.object, keepingFilters: 1, limit: limits.entryBytes) else {
                throw Refusal("the image's data is damaged", isDamage: true)
            }
            guard let encoding = PictureHeader(head)?.encoding, encoding == .jpeg2000 || encoding == .jpeg2000Codestream
            else { throw Refusal("the image's data is not a JPEG 2000", isDamage: true) }
            return made(.jpeg2000(encoding), kept: 1)
        case "CCITTFaxDecode", "CCF":
            return made(try fax(image), kept: 1)
        case "JBIG2Decode":
            guard image.pixelFormat != nil else { throw Refusal("JBIG2 data cannot have such colors") }
            return made(.jbig2(globals: image.parameters["JBIG2Globals"].reference), kept: 1)
        default:
            guard image.pixelFormat != nil else {
                throw Refusal("PNG cannot store \(image.bits) bits for such colors")
            }
            return made(.samples(compression: image.filters.last.map(PageAnalyzer.name) ?? "raw"), kept: 0)
        }
    }

    private static func name(of filter: String) -> String {
        switch filter {
        case "FlateDecode", "Fl": "Flate"
        case "LZWDecode": "LZW"
        case "RunLengthDecode", "RL": "run-length"
        default: filter
        }
    }

    /// Returns fax data as libtiff reads it; poppler decompresses the kinds unknown to libtiff.
    private func fax(_ image: PDFImage) throws(Refusal) -> Extraction.Kind {
        let parameters = image.parameters
        let fax = FaxParameters(
            k: parameters["K"].integer ?? 0, blackIsOne: parameters["BlackIs1"].boolean ?? false)
        let isOrdinary =
            !(parameters["EncodedByteAlign"].boolean ?? false)
            && parameters["Columns"].integer ?? 1728 == image.size.width
        guard image.pixelFormat != nil else { throw Refusal("fax data cannot have such colors") }
        return isOrdinary ? .fax(fax) : try bilevel(image, fax.name)
    }

    /// Returns bilevel data. Poppler decompresses them to colors: black and white can be distinguished, but not their original
    /// indexes.
    private func bilevel(_ image: PDFImage, _ compression: String) throws(Refusal) -> Extraction.Kind {
        guard image.pixelFormat == .gray(bits: 1), !image.isInk else {
            throw Refusal("the image's two colors are not black and white")
        }
        return .bilevel(compression: compression)
    }

    /// Returns the range of a stream's data in the file, if the required bytes follow it.
    private func place(of stream: PDFObject) -> Range<Int>? {
        guard let offset = file.offset(of: stream), let length = stream["Length"].integer, length > 0,
            length <= file.size - offset
        else { return nil }
        let text = file.bytes(at: offset + length, upTo: 16).drop { $0 == 10 || $0 == 13 || $0 == 32 }
        return text.starts(with: "endstream".utf8) ? offset..<offset + length : nil
    }

    /// Returns the resolution at which rendering loses least: that of the largest image.
    ///
    /// It is at least `resolutionOfVectors` if coarse images cover little of the page, or if text or shapes are visible. Those are sharp
    /// at any resolution. It is at most `resolutionOfSmallImages` if all finer images are small, such as a logo.
    ///
    /// - Returns: nil for a page without images.
    func resolution(of marks: [Mark], _ geometry: PageGeometry) -> Double? {
        var best: (area: Int, resolution: Double)?
        // Some scanners write a page as strips, and each strip covers little.
        var (covered, finer) = (0.0, 0.0)
        for picture in marks.compactMap(\.painted) {
            guard let width = picture.object["Width"].integer, let height = picture.object["Height"].integer,
                width > 0, height > 0, width < 1 << 20, height < 1 << 20
            else { continue }
            let matrix = picture.state.matrix
            let across = (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot() * geometry.userUnit / 72
            let down = (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot() * geometry.userUnit / 72
            guard across > PageAnalyzer.smallestVisible, down > PageAnalyzer.smallestVisible else { continue }
            let resolution = max(Double(width) / across, Double(height) / down)
            let page = geometry.shown.width * geometry.shown.height
            let box = matrix.unitSquare.intersection(geometry.shown)
            let share = box.isEmpty ? 0 : box.width * box.height / page
            covered += share
            if resolution > PageAnalyzer.resolutionOfSmallImages { finer += share }
            if width * height > best?.area ?? 0 { best = (width * height, resolution) }
        }
        guard let best, best.resolution.isFinite else { return nil }
        let isSmall = finer < PageAnalyzer.maximumSmallShare
        let resolution = isSmall ? min(best.resolution, PageAnalyzer.resolutionOfSmallImages) : best.resolution
        let isLarge = covered >= 0.25 || resolution >= PageAnalyzer.minimumOwnResolution
        return isLarge && !showsVectors(marks, geometry)
            ? resolution : max(resolution, PageAnalyzer.resolutionOfVectors)
    }

    /// The pixels per inch for content that is sharp at any resolution.
    static let resolutionOfVectors = 300.0
    /// The maximum pixels per inch for the sake of images that cover less than `maximumSmallShare` of the page. Logos of letters
    /// were seen with 1300: a page of 164 megapixels for the sake of a hundredth of its area.
    static let resolutionOfSmallImages = 600.0
    private static let maximumSmallShare = 0.05
    /// The minimum pixels per inch at which small images alone on a page decide its resolution. Coarser ones are icons or spacers.
    private static let minimumOwnResolution = 72.0
    /// The size in inches below which marks are smaller than a pixel at the highest resolution.
    private static let smallestVisible = 1.0 / 2400

    /// Whether anything except images is visible; content below an opaque image that fills the page is not.
    func showsVectors(_ marks: [Mark], _ geometry: PageGeometry) -> Bool {
        for mark in marks.reversed() {
            switch mark {
            case .text, .shape, .shading, .annotation: return true
            case .picture(let picture) where hidesPage(picture, geometry): return false
            case .picture, .inlinePicture: break
            }
        }
        return false
    }

    private func hidesPage(_ picture: PaintedPicture, _ geometry: PageGeometry) -> Bool {
        let shown = geometry.shown
        // A producer's rounding may leave a point of paper.
        func covers(_ box: PDFBox) -> Bool {
            box.left <= shown.left + 1 && box.right >= shown.right - 1 && box.bottom <= shown.bottom + 1
                && box.top >= shown.top - 1
        }
        switch picture.state.clip {
        case .open: break
        case .box(let clip): if !covers(clip) { return false }
        case .shape: return false
        }
        let object = picture.object
        return !picture.state.isTranslucent && picture.state.matrix.keepsAxes && covers(picture.state.matrix.unitSquare)
            && object["SMask"].isNull && object["Mask"].isNull && object["ImageMask"].boolean != true
    }
}
