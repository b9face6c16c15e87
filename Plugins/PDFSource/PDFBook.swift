internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import PDFStructure
internal import PageModel

/// An open PDF, with the workers that read and render its pages.
final class PDFBook: Sendable {
    private let input: Input
    private let source: any ByteSource
    let box: PageBox
    let resolution: Double?
    let scans: ScanTreatment
    let limits: Limits
    /// The worker that analyzes pages, which takes little time.
    let structure: StructureWorker
    /// The workers that decompress images, which takes much time.
    let decompression: PDFWorkerPool<StructureWorker>
    let drawing: PDFWorkerPool<RenderingWorker>
    let stamps: StampJudge
    let effects = OptionEvidence()

    /// - Parameters:
    ///   - seconds: the time limit for rendering one page. Its analysis may take as much processor time.
    ///   - scans: the treatment of scans with content over them.
    ///   - source: the bytes of the input. Nil to read them from its path.
    init(
        _ input: Input, box: PageBox, resolution: Double?, seconds: Int, scans: ScanTreatment = ScanTreatment(),
        limits: Limits, source: (any ByteSource)? = nil
    ) throws(AdapterError) {
        let source: any ByteSource = if let source { source } else { try ReadableFile(path: input.path) }
        let memory = try PDFMemory(bytes: limits.memory)
        let structure = try StructureWorker(
            source, password: input.password, memory: memory, limits: limits, seconds: seconds)
        self.input = input
        self.source = source
        self.box = box
        self.resolution = resolution
        self.scans = scans
        self.limits = limits
        self.structure = structure
        decompression = PDFWorkerPool {
            try StructureWorker(
                source, password: input.password, memory: memory, limits: limits, seconds: seconds)
        }
        let original = RenderedFile(source, box: box, structure: structure, seconds: seconds, pixels: limits.pixels)
        drawing = PDFWorkerPool { try await original.open() }
        stamps = StampJudge(structure, drawing, box: box, scans, effects)
    }

    func opened() async throws(AdapterError) -> OpenedBook {
        let facts = try await structure.facts(showing: box)
        guard !facts.pages.isEmpty else { throw AdapterError(.empty, "the PDF has no pages") }
        var pages = facts.pages.enumerated().map { index, page in
            var listed = Page(id: index + 1, name: PageName.page(index + 1), label: page.label) {
                try await self.examine(index, at: page.path)
            }
            listed.roles = facts.roles[index + 1] ?? []
            listed.text = { try await self.text(of: index, at: page.path) }
            listed.visibleText = { try await self.visibleText(of: index, at: page.path) }
            listed.links = { try await self.links(of: index, at: page.path) }
            return listed
        }
        var warnings: [Warning] = []
        if facts.isRepaired {
            warnings.append(
                Warning(
                    code: "repaired-pdf", message: "the PDF is damaged; jisui repaired it as far as possible",
                    hint: "check that no pages are missing (found "
                        + "\(pages.count == 1 ? "1 page" : "\(pages.count) pages"))"
                ))
        }
        if let defect = facts.metadataDefect {
            warnings.append(
                Warning(
                    code: "bad-metadata",
                    message: "the PDF's metadata (XMP) \(defect): its contents are lost",
                    hint: "write it again with a PDF editor to keep it"))
        }
        let files = facts.documents.map { document in
            BookDocument.File(path: document.name) { () throws(AdapterError) in try document.bytes.get() }
        }
        let book = CarriedDocuments.merged(
            facts.book, statement: facts.statement, files: files, for: &pages, warnings: &warnings)
        var opened = OpenedBook(sequence: PageSequence(book: book, pages: pages), warnings: warnings)
        opened.activeContent = { [structure] in try await structure.activeContent(on: facts.pages.map(\.path)) }
        if structure.isDecrypted { effects.note(.decrypted) }
        opened.effects = [effects]
        return opened
    }

    func text(of index: Int, at path: PageTree.Path) async throws -> [TextLine] {
        let (analysis, verdict) = try await stamps.analysis(of: index, at: path)
        if let refusal = analysis.drawingRefusal { throw refusal }
        guard analysis.mayHaveText else { return [] }
        try await structure.checkReadable(pageAt: path)
        var lines: [TextLine]
        if let removal = verdict.removal {
            let file = try await structure.file(ofPageAt: path, omitting: removal.omission, showing: .none, in: box)
            lines = try await drawing.withWorker { try await $0.text(onPage: 0, of: file) }
        } else {
            lines = try await drawing.withWorker { try await $0.text(onPage: index) }
        }
        if let map = straightening(analysis) { lines = map.placed(lines) }
        return analysis.mosaic.map { lines.shown(in: $0.shown) } ?? lines
    }

    private func links(of index: Int, at path: PageTree.Path) async throws -> [PageLink] {
        let (analysis, verdict) = try await stamps.analysis(of: index, at: path)
        let links = try await structure.links(
            onPageAt: path, number: index + 1, showing: box, without: Set(verdict.removal?.omission.annotations ?? []))
        let straight = straightening(analysis)?.placed(links) ?? links
        return analysis.mosaic.map { straight.shown(in: $0.shown) } ?? straight
    }

    /// Returns the map from the page to its scan, if the scan is returned without the slant that the page shows.
    func straightening(_ analysis: PageAnalysis) -> PageMap? {
        guard analysis.isExtracted, let slant = analysis.slant else { return nil }
        let size = analysis.geometry.size
        let points = 1...1 << 24
        var map = PageMap(
            PixelSize(width: Int(clamping: size.width, to: points), height: Int(clamping: size.height, to: points)))
        map.rotate(degrees: -slant)
        return map
    }

    private func examine(_ index: Int, at path: PageTree.Path) async throws -> Picture {
        let (analysis, verdict) = try await stamps.analysis(of: index, at: path)
        let omission = verdict.removal?.omission ?? PageOmission()
        let drawn = drawnPicture(index, at: path, analysis, omitting: omission)
        if analysis.geometry.shown != analysis.geometry.crop { effects.note(option: "page-box") }
        if analysis.dependsOnPagesAs { effects.note(option: "pages-as") }
        var picture = Picture(
            size: drawn.size, representations: [], reason: analysis.reason, defects: analysis.defects,
            paper: analysis.geometry.paper)
        picture.isBlank = analysis.isBlank
        (picture.hasText, picture.hasLinks) = (analysis.showsText, analysis.hasLinks)
        picture.documentParts = analysis.documentParts
        picture.document = DocumentPage(
            format: "pdf", path: input.path, name: input.name, password: input.password, index: index,
            box: box == .crop ? nil : box.rawValue, width: drawn.width, height: drawn.height)
        if scans.removesStamps {
            picture.document?.omission = omission
            picture.document?.removed = verdict.removed
        }
        picture.removed = verdict.removed
        picture.slant = analysis.slant
        picture.contentDigest = {
            try await self.decompression.withWorker { try await $0.contentDigest(ofPageAt: path) }
        }
        picture.imageDigest = {
            try await self.decompression.withWorker {
                try await $0.contentDigest(ofPageAt: path, coversImagesOnly: true)
            }
        }
        if let extraction = analysis.extraction {
            picture.representations = representations(extraction, page: index, at: path, omitting: omission)
            picture.size = extraction.pending.applied(to: extraction.size)
        }
        if let mosaic = analysis.mosaic {
            let work = MosaicWork(
                mosaic: mosaic,
                compositor: mosaic.overlay.map {
                    OverlayCompositor(
                        $0, on: mosaic.size, scan: mosaic.pieces.map(\.place), at: path, self, omitting: omission)
                },
                bytes: { try await self.bytes($0, $1) },
                samples: { try await self.samples($0, page: index, at: path) })
            picture.representations = work.representations
            picture.size = mosaic.pending.applied(to: mosaic.size)
            (picture.shownPart, picture.scanArea) = (mosaic.shown, mosaic.scanArea)
        }
        picture.representations.append(.drawn(drawn))
        return picture
    }

    private func representations(
        _ extraction: Extraction, page index: Int, at path: PageTree.Path, omitting omission: PageOmission
    ) -> [Picture.Representation] {
        let compositor = extraction.overlay.map {
            OverlayCompositor($0, on: extraction.size, at: path, self, omitting: omission)
        }
        func encoded(_ encoding: ImageEncoding, _ jpeg: EmbeddedJPEG? = nil) -> Picture.Representation {
            var (pending, orientation, repair) = (extraction.pending, Orientation.upright, jpeg?.repair)
            // If the page rotates the image as its EXIF data require, they may stay.
            if let own = jpeg?.orientation, own != .upright,
                let framing = Framing(extraction.size, edits: pending), framing.orientation == own
            {
                orientation = own
                pending = framing.isWhole ? [] : [.crop(framing.rect)]
                repair = repair?.keepingOrientation
            }
            var picture = EncodedPicture(
                encoding: encoding, size: extraction.size, byteCount: extraction.place?.count,
                orientation: orientation, grid: compositor == nil ? jpeg?.grid : jpeg?.gridUnderOverlay,
                joinKey: jpeg?.joinKey, hasMergeMark: jpeg?.hasMergeMark ?? false,
                isGray: compositor == nil && jpeg?.isGray ?? false, pending: pending, repair: repair?.description
            ) { [repair] in try await self.bytes(extraction, repair) }
            picture.isSequentialJPEG = jpeg?.isSequential ?? false
            if let compositor { picture.composite(compositor) }
            return .encoded(picture)
        }
        func sampled(_ compression: String) -> Picture.Representation {
            var picture = SampledPicture(
                compression: compression, size: extraction.size,
                // The overlay may have colors.
                format: compositor == nil ? extraction.wholeFormat : nil, pending: extraction.pending
            ) { try await self.samples(extraction, page: index, at: path) }
            if let compositor { picture.composite(compositor) }
            if extraction.inlineData == nil {
                picture.readStored = {
                    try await self.decompression.withWorker {
                        try await $0.data(
                            of: extraction.stream, kept: PDFBook.anyFilters, limit: self.limits.entryBytes)
                    }
                }
            }
            return .sampled(picture)
        }
        switch extraction.kind {
        case .jpeg(let jpeg): return [encoded(.jpeg, jpeg)]
        case .jpeg2000(let encoding):
            // A profile that only the PDF has is put into the PNG.
            return (extraction.profile == nil && extraction.overlay == nil ? [encoded(encoding)] : [])
                + [sampled("JPEG 2000")]
        case .samples(let compression), .bilevel(let compression): return [sampled(compression)]
        case .fax(let parameters): return [sampled(parameters.name)]
        case .jbig2: return [sampled("JBIG2")]
        }
    }

    private func bytes(_ extraction: Extraction, _ repair: JPEGRepair?) async throws -> [UInt8] {
        var bytes: [UInt8]
        if let place = extraction.place {
            guard place.count <= limits.entryBytes else { throw AdapterError.pictureTooLarge }
            do {
                bytes = try source.read(at: place.lowerBound, upTo: place.count)
            } catch {
                // A disk error may be temporary.
                bytes = try source.read(at: place.lowerBound, upTo: place.count)
            }
        } else {
            bytes = try await data(of: extraction, limit: limits.entryBytes)
        }
        if repair?.dropsProfile == true { bytes = JPEGMetadata.removingProfile(from: bytes) }
        if let profile = repair?.profile { bytes = JPEGMetadata.inserting(profile: profile, into: bytes) }
        if repair?.resetsOrientation == true { bytes = JPEGMetadata.resettingOrientation(of: bytes) }
        return bytes
    }

    /// A count of filters that exceeds those of a stream: its bytes are returned as stored.
    private static let anyFilters = 64

    private func data(of extraction: Extraction, limit: Int) async throws -> [UInt8] {
        if let data = extraction.inlineData { return data }
        return try await decompression.withWorker {
            try await $0.data(of: extraction.stream, kept: extraction.kept, limit: limit)
        }
    }

    private func samples(
        _ extraction: Extraction, page index: Int, at path: PageTree.Path
    ) async throws -> DecodedImage {
        guard extraction.size.area <= limits.pixels else {
            var error = AdapterError.pictureTooLarge
            error.hint = "use --max-pixels to allow more"
            throw error
        }
        let decoder = SampleDecoder(extraction, limits: limits)
        if case .bilevel(let compression) = extraction.kind {
            try await structure.checkReadable(pageAt: path)
            let decoded = try await drawing.withWorker { worker in
                try await worker.bilevelPicture(onPage: index, size: extraction.size)
            }
            guard var drawing = decoded else { throw AdapterError(.damaged, "its \(compression) data cannot be read") }
            // Poppler has applied the Decode array already.
            drawing.raster = decoder.finished(drawing.raster, isInverted: false)
            return drawing
        }
        do {
            let (data, defect) = try await unpacked(extraction, limit: decoder.limit)
            var globals: [UInt8] = []
            if case .jbig2(let shared?) = extraction.kind {
                globals = try await decompression.withWorker {
                    try await $0.data(of: shared, kept: 0, limit: limits.entryBytes)
                }
            }
            let colors = try decoder.decode(data, globals: globals)
            var image = DecodedImage(raster: colors, diagnostics: defect.map { [$0] } ?? [])
            if let mask = extraction.alpha {
                let alpha = try await samples(
                    extraction.ofAlpha(mask, bits: colors.format.bitsPerSample), page: index, at: path)
                image.raster = colors.withAlpha(alpha.raster)
                image.diagnostics = (image.diagnostics + alpha.diagnostics).unique
            }
            return image
        } catch let error as AdapterError where error.code == .tooLarge && error != PDFFile.outOfMemory {
            guard case .samples(let compression) = extraction.kind else { throw error }
            // Not a limit that the user chose, so rendering the page may still work.
            throw AdapterError(.damaged, "its \(compression) data is longer than its samples are")
        }
    }

    /// Returns an image's data without its filters, and the defect of Flate data that only its checksum shows.
    private func unpacked(_ extraction: Extraction, limit: Int) async throws -> ([UInt8], Message?) {
        guard case .samples(compression: "Flate") = extraction.kind, extraction.inlineData == nil else {
            return (try await data(of: extraction, limit: limit), nil)
        }
        let packed = try await decompression.withWorker {
            try await $0.flateData(of: extraction.stream, limit: limits.entryBytes)
        }
        // Comparing the checksum inflates the data in any case, and qpdf does not compare it.
        if packed?.isPredicted == false, let bytes = packed?.bytes,
            let content = ZlibChecksum.soundContent(bytes, size: limit)
        {
            return (content, nil)
        }
        let content = try await data(of: extraction, limit: limit)
        let isWrong = packed.map { ZlibChecksum.isWrong($0.bytes, size: limit) } ?? false
        return (content, isWrong ? "the Flate data has a wrong checksum" : nil)
    }

    /// Returns the content over a page's scan of size `size`, as stored.
    func overlay(
        _ overlay: Extraction.Overlay, on size: PixelSize, at path: PageTree.Path, omitting omission: PageOmission
    ) async throws -> OverlayPixels {
        try await structure.checkReadable(pageAt: path)
        let file = try await structure.file(
            ofPageAt: path, omitting: omission, showing: .except(overlay.below, others: overlay.pictures), in: box)
        let request = OverlayRequest(file: file, size: size, matrix: overlay.matrix)
        return try await drawing.withWorker { try await $0.overlay(request) }
    }

    /// Returns a number without its fraction. It may come from any value in a PDF, and be too large for an `Int`.
    static func whole(_ number: Double) -> String {
        Int(exactly: number.rounded()).map(String.init) ?? "\(number)"
    }
}

extension AdapterError {
    static let pictureTooLarge = AdapterError(.tooLarge, "the image is larger than allowed")
}
