internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// What was found out about one page.
struct PageVerdict: Sendable {
    let geometry: PageGeometry
    /// How to take out the one picture that the page is; nil when it has to be drawn.
    var extraction: Extraction?
    /// How to put the scan together that the page consists of, where it is not one picture that fills the page.
    var mosaic: ScanMosaic?
    /// The layers of the scan that the page consists of, if it is neither.
    var layers: ScanLayers?
    /// Why the page is neither one picture nor a scan that can be put together from its parts.
    var reason: String?
    /// Whether the page is a scan that `--pages-as` gives otherwise than by default.
    var heedsPagesAs = false
    /// The resolution of the largest picture on the page, pixels per inch.
    var naturalResolution: Double?
    /// How the pixels were encoded that a drawing at this resolution shows.
    var likeness: PageLikeness?
    var defects: [String] = []
    /// Whether the page's content may show text.
    var mayHaveText = true
    /// Whether text was met in the page's content as far as that was read.
    var showsText = false
    /// Whether a link annotation leads somewhere.
    var hasLinks = false
    /// Why the page must not be drawn.
    var drawingRefusal: AdapterError?
}

/// Why a page's picture cannot be taken out as it is; its reason finishes the sentence "drawn because …".
struct Refusal: Error {
    let reason: String
    /// Whether the file is damaged, so that drawing may not give the whole page either.
    let isDamage: Bool
    /// Whether it is about how several pictures lie.
    var isOfSeveral = false

    init(_ reason: String, isDamage: Bool = false) {
        self.reason = reason
        self.isDamage = isDamage
    }
}

/// Decides whether a page *is* one picture, so that the picture may stand for the page.
///
/// The conditions, lettered as in the comments here: what lies over the picture can be laid on its own pixels (a);
/// it is opaque (b, g), upright but for quarter turns (c), fills the page (d); its samples mean what they would mean in a
/// picture file (f, h to k), and what only the PDF knows can be put into the file (m, n). What is painted before an opaque
/// picture that fills the page cannot be seen, so it does not count.
struct PageJudge {
    let file: PDFFile
    let layers: OptionalContent
    let limits: Limits
    /// Seconds of a processor that looking at a page may take.
    let seconds: Int
    /// What is taken of scans that something lies over.
    let pagesAs: PagesAs

    func verdict(on page: PageNode, showing box: PageBox) -> PageVerdict {
        let geometry = PageGeometry(page, showing: box)
        var verdict = PageVerdict(geometry: geometry)
        verdict.hasLinks = Annotation.areLinks(among: page["Annots"], layers)
        var interpreter = ContentInterpreter(file, layers: layers, seconds: seconds)
        do {
            try interpreter.run(page: page)
        } catch {
            verdict.showsText = interpreter.hasText
            verdict.reason = error.message
            if interpreter.isHostile { verdict.drawingRefusal = error }
            if error.code == .damaged {
                verdict.defects.append("its content is damaged (\(error.cause ?? error.message))")
            }
            return verdict
        }
        verdict.mayHaveText = interpreter.hasText
        verdict.showsText = interpreter.hasText
        verdict.naturalResolution = resolution(of: interpreter.marks, geometry)
        verdict.likeness = likeness(of: interpreter.marks, geometry, verdict.naturalResolution)
        do throws(Refusal) {
            verdict.extraction = try extraction(from: interpreter, geometry)
        } catch let refusal {
            verdict.reason = refusal.reason
            do throws(Refusal) {
                verdict.mosaic = try mosaic(from: interpreter, geometry)
            } catch {
                // Why it is not one picture tells more, unless it is several.
                verdict.reason = error.isOfSeveral ? error.reason : refusal.reason
                if refusal.isDamage { verdict.defects.append(refusal.reason) }
            }
        }
        if verdict.extraction == nil, verdict.mosaic == nil {
            verdict.layers = layers(of: interpreter.marks, geometry)
        }
        let overlay = verdict.extraction?.overlay ?? verdict.mosaic?.overlay
        switch pagesAs {
        case .auto: break
        case .scan: verdict.heedsPagesAs = overlay != nil
        case .page where overlay != nil || verdict.mosaic != nil:
            verdict.heedsPagesAs = true
            verdict.reason = overlay.map { "\($0.description) lies over the picture" } ?? verdict.reason
            (verdict.extraction, verdict.mosaic) = (nil, nil)
        case .page:
            verdict.heedsPagesAs = verdict.layers != nil
            verdict.layers = nil
        }
        return verdict
    }

    /// - Parameter interpreter: has read the page.
    private func extraction(
        from interpreter: ContentInterpreter, _ geometry: PageGeometry
    ) throws(Refusal) -> Extraction {
        let marks = interpreter.marks
        var first: Refusal?
        // What an opaque picture that fills the page hides does not count: the topmost one that can be taken out is it.
        for (index, mark) in marks.enumerated().reversed() {
            guard case .picture(let picture) = mark else { continue }
            do throws(Refusal) {
                let over = Array(marks[(index + 1)...])
                var extraction = try extraction(
                    of: picture, geometry, hasBelow: index > 0, hasAbove: !over.isEmpty)
                if !over.isEmpty {
                    guard let toUnit = picture.state.matrix.inverse else { throw Refusal("the picture is empty") }
                    extraction.overlay = try overlay(
                        over, on: [picture], extraction.resolution, toUnit.then(Matrix(pixelsOf: extraction.size)),
                        isMixed: interpreter.mixesInGroups, geometry)
                }
                return extraction
            } catch {
                first = first ?? error
            }
        }
        guard let first else { throw Refusal(PageJudge.nature(of: marks)) }
        if let top = marks.last {
            // (a) What lies over all pictures tells more than what is amiss with them.
            guard case .picture = top else {
                throw Refusal("\(top.description) lies over the picture; \(first.reason)")
            }
        }
        let count = marks.count { if case .picture = $0 { true } else { false } }
        // On a page of many pieces that they are many tells more than what is amiss with the last.
        throw count > 1 ? Refusal("the page is made of \(count) pictures") : first
    }

    private static func nature(of marks: [Mark]) -> String {
        guard let first = marks.first else { return "the page is blank" }
        if marks.contains(where: { if case .inlinePicture = $0 { true } else { false } }) {
            return "the page's picture is written into its content"
        }
        return "the page holds \(first.description) and no picture"
    }

    func extraction(
        of painted: PaintedPicture, _ geometry: PageGeometry, hasBelow: Bool, hasAbove: Bool, isPart: Bool = false
    ) throws(Refusal) -> Extraction {
        // (b)
        if painted.state.isTranslucent { throw Refusal("the picture is painted translucently") }
        let image = try PDFImage(painted.object, resources: painted.resources, file: file)
        guard let stream = painted.object.reference else { throw Refusal("the picture is no object of its own") }
        if image.color == .stencil {
            guard !hasBelow else { throw Refusal("the page is made of several layers") }
            guard painted.state.fill.isBlack else { throw Refusal("the picture is a stencil in a colour") }
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
                resolution: placement.resolution)
        }
        switch image.filters.last {
        case "DCTDecode", "DCT":
            let place = image.filters.count == 1 ? self.place(of: painted.object) : nil
            let jpeg = try EmbeddedJPEG(image, place: place, self)
            return made(.jpeg(jpeg), kept: 1, place: place)
        case "JPXDecode":
            guard !image.isInverted, image.color == .own || image.color == .gray || image.color == .rgb else {
                throw Refusal("the picture's colours are not its own")
            }
            guard let head = try? file.data(of: painted.object, keepingFilters: 1, limit: limits.entryBytes) else {
                throw Refusal("the picture's data is damaged", isDamage: true)
            }
            guard let encoding = PictureHeader(head)?.encoding, encoding == .jpeg2000 || encoding == .jpeg2000Codestream
            else { throw Refusal("the picture's data is no JPEG 2000", isDamage: true) }
            return made(.jpeg2000(encoding), kept: 1)
        case "CCITTFaxDecode", "CCF":
            return made(try fax(image), kept: 1)
        case "JBIG2Decode":
            return made(try bilevel(image, "JBIG2"), kept: 1)
        default:
            guard image.pixelFormat != nil else {
                throw Refusal("PNG has no samples of \(image.bits) bits for such colours")
            }
            return made(.samples(compression: image.filters.last.map(PageJudge.name) ?? "raw"), kept: 0)
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

    /// Fax data as libtiff reads it; poppler takes the kinds libtiff does not know.
    private func fax(_ image: PDFImage) throws(Refusal) -> Extraction.Kind {
        let parameters = image.parameters
        let fax = FaxParameters(
            k: parameters["K"].integer ?? 0, blackIsOne: parameters["BlackIs1"].boolean ?? false)
        let isOrdinary =
            !(parameters["EncodedByteAlign"].boolean ?? false)
            && parameters["Columns"].integer ?? 1728 == image.size.width
        guard image.pixelFormat != nil else { throw Refusal("fax data has no such colours") }
        return isOrdinary ? .fax(fax) : try bilevel(image, fax.name)
    }

    /// What poppler decompresses it gives as colours: black and white are told apart, but not which index was which.
    private func bilevel(_ image: PDFImage, _ compression: String) throws(Refusal) -> Extraction.Kind {
        guard image.pixelFormat == .gray(bits: 1) else {
            throw Refusal("the picture's two colours are not black and white")
        }
        return .bilevel(compression: compression)
    }

    /// Where a stream's data lies in the file, if it is followed by what has to follow it.
    private func place(of stream: PDFObject) -> Range<Int>? {
        guard let offset = file.offset(of: stream), let length = stream["Length"].integer, length > 0,
            length <= file.size - offset
        else { return nil }
        let text = file.bytes(at: offset + length, upTo: 16).drop { $0 == 10 || $0 == 13 || $0 == 32 }
        return text.starts(with: "endstream".utf8) ? offset..<offset + length : nil
    }

    /// The resolution at which drawing loses least: that of the largest picture.
    ///
    /// Not less than `resolutionOfVectors` where pictures cover little of the page, or where text or drawn shapes
    /// can be seen: those are sharp at any resolution.
    ///
    /// - Returns: nil when there is no picture.
    func resolution(of marks: [Mark], _ geometry: PageGeometry) -> Double? {
        var best: (area: Int, resolution: Double)?
        // Some scanners write a page as strips, each of which covers little.
        var covered = 0.0
        for case .picture(let picture) in marks {
            guard let width = picture.object["Width"].integer, let height = picture.object["Height"].integer,
                width > 0, height > 0, width < 1 << 20, height < 1 << 20
            else { continue }
            let matrix = picture.state.matrix
            let across = (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot() * geometry.userUnit / 72
            let down = (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot() * geometry.userUnit / 72
            guard across > PageJudge.smallestVisible, down > PageJudge.smallestVisible else { continue }
            let resolution = max(Double(width) / across, Double(height) / down)
            let page = geometry.shown.width * geometry.shown.height
            let box = matrix.unitSquare.intersection(geometry.shown)
            if !box.isEmpty { covered += box.width * box.height / page }
            if width * height > best?.area ?? 0 { best = (width * height, resolution) }
        }
        guard let best, best.resolution.isFinite else { return nil }
        return covered >= 0.25 && !showsVectors(marks, geometry)
            ? best.resolution : max(best.resolution, PageJudge.resolutionOfVectors)
    }

    /// Pixels per inch of what is sharp at any resolution.
    static let resolutionOfVectors = 300.0
    /// Inches: what is painted smaller is less than a pixel at the highest resolution there is.
    private static let smallestVisible = 1.0 / 2400

    /// Whether anything but pictures can be seen: what an opaque picture that fills the page hides cannot.
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
