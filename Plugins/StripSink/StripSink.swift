public import AdapterKit
internal import Files
internal import Imaging
public import PageModel

/// A sink that joins all pages side by side into one long image, or into slices or tiles of it.
public struct StripSink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "strip", summary: "one long image of all pages", extensions: ["png", "jpg", "jpeg", "webp"],
        settings: StripOptions.settings)

    public init() {}

    /// Returns a folder for slices and tiles, because they are many files, and only a folder of them appears at once.
    public func form(_ settings: Settings) -> OutputForm {
        settings["strip-max"] != nil || settings.flag("tiles") ? .folder : .stream
    }

    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try StripOptions(request, form: form(request.settings))
        var capabilities = SinkCapabilities(formats: nil, takesRasters: true, composition: options.expectation)
        if !options.isVertical { capabilities.directionUse = .arranging }
        if !options.isDirectionGiven {
            capabilities.joiningChoice = Warning(
                code: "strip-direction", message: "joined the pages from top to bottom",
                hint: "use --strip-direction horizontal to join them side by side", isNote: true)
        }
        return capabilities
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let options = try StripOptions(request, form: form(request.settings))
        return try StripSession(request, options)
    }
}

/// A strip during writing: pages wait in a spool until the size of all is known.
final class StripSession: SinkSession {
    let request: SinkRequest
    let options: StripOptions
    private let output: StripOutput
    private let spool: SpoolFile
    private(set) var pages: [StripPage] = []
    private var shortened: [Warning] = []

    init(_ request: SinkRequest, _ options: StripOptions) throws(AdapterError) {
        self.request = request
        self.options = options
        output = try StripOutput(request.destination, options)
        spool = try SpoolFile()
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        pages.append(try StripPage(page, in: spool, limits: request.limits))
        if case .encoded(let picture) = page.content {
            // For a page that is a raster, the run has already reported it.
            let count = PictureCount.pictures(in: picture.bytes)
            if let warning = Warning.firstPictureOnly(of: page.page, count) { shortened.append(warning) }
        }
        return FileName.last(of: request.destination.path)
    }

    func compose() async throws -> SinkFindings {
        guard !pages.isEmpty else {
            throw AdapterError(.empty, "no page is left to make a strip of", file: request.destination.path)
        }
        let layout = StripLayout(pages.map(\.size), options)
        noteUse(layout)
        try refuseTooLarge(layout.size)
        for (page, place) in zip(pages, layout.places) where place.size != page.size {
            guard place.size.area > request.limits.pixels else { continue }
            throw AdapterError(
                .tooLarge, "would be scaled to \(place.size) pixels, more than the \(request.limits.pixels) allowed",
                hint: "use --align center to keep its size, or --max-pixels to allow more",
                file: request.destination.path, page: page.name)
        }
        let plan = StripPlan(
            pages: pages, layout: layout, options: options, format: StripFormat(pages, options), spool: spool,
            limits: request.limits, width: request.width)
        var compositions: [Int: Composition] = [:]
        let blocker = options.joinsJPEGs ? JPEGJoin.blocker(plan) : nil
        if options.joinsJPEGs, blocker == nil, let note = try await join(plan) {
            for page in pages { compositions[page.number] = Composition(.lossless, [note]) }
        } else {
            if options.isLossless { try refuseLoss(plan, blocker) }
            try await plan.draw(into: output)
            for (index, page) in pages.enumerated() { compositions[page.number] = plan.composition(index, blocker) }
        }
        for (number, defect) in plan.damage.defects { compositions[number]?.defect = defect }
        return SinkFindings(compositions: compositions, warnings: shortened)
    }

    func finish() throws(AdapterError) {
        try output.publish()
    }

    /// Joins compatible pages on DCT coefficients.
    ///
    /// - Returns: the change; nil if the pages were not joined.
    private func join(_ plan: StripPlan) async throws -> Note? {
        guard let join = JPEGJoin(plan) else { return nil }
        if options.mayBeJoined {
            guard let strip = try join.strip() else { return nil }
            try output.add(strip, named: StripOutput.name(0, of: 1, .jpeg))
            return Note(.joinedIntoStrip)
        }
        guard let slices = try await join.slices() else { return nil }
        for (index, slice) in slices.enumerated() {
            let file = try spool.read(at: slice.offset, count: slice.count)
            let number = plan.number(ofSlice: index, of: slices.count)
            try output.add(file, named: StripOutput.name(number, of: slices.count, .jpeg))
        }
        return Note(.joinedIntoSlices)
    }

    private func refuseLoss(_ plan: StripPlan, _ blocker: Note?) throws(AdapterError) {
        if !options.keepsPixels {
            throw AdapterError(
                .unsupported, "the pages cannot be joined in a JPEG strip without loss",
                hint: blocker?.remedy.map { "use \($0), remove --lossless to re-encode them, or make a PNG strip" }
                    ?? "remove --lossless to re-encode them, or make a PNG strip",
                file: request.destination.path)
        }
        for (index, page) in pages.enumerated() {
            guard let loss = plan.losses(index).first?.refusal else { continue }
            throw AdapterError(
                .unsupported, loss.message, hint: loss.hint, file: request.destination.path, page: page.name)
        }
    }

    private func refuseTooLarge(_ size: PixelSize) throws(AdapterError) {
        let (along, across) =
            options.isVertical ? (size.height, size.width) : (size.width, size.height)
        let maximum = options.maximumPixelsPerSide
        if along > options.maximumSliceLength && options.requestedLength == nil && !options.isTiled {
            throw AdapterError(
                .tooLarge,
                "the strip would be \(size) pixels, and a \(options.format.name) holds no more than \(maximum)",
                hint: "slice it with --strip-max \(maximum) into a folder (-o name/ --to strip), or make a PNG",
                file: request.destination.path)
        }
        if across > maximum || (options.requestedLength ?? 0) > maximum {
            throw AdapterError(
                .tooLarge, "a \(options.format.name) holds no more than \(maximum) pixels a side",
                hint: across > maximum ? "scale pages down with --fit, or make a PNG" : "use --strip-max \(maximum)",
                file: request.destination.path)
        }
    }
}
