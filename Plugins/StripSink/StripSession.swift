internal import AdapterKit
internal import Imaging
internal import PageModel

/// A strip being made: pages wait in a spool until the size of all is known.
final class StripSession: SinkSession {
    private let request: SinkRequest
    private let options: StripOptions
    private let output: StripOutput
    private let spool: SpoolFile
    private var pages: [StripPage] = []
    private(set) var remakes: [Int: Remake] = [:]

    init(_ request: SinkRequest, _ options: StripOptions) throws(AdapterError) {
        self.request = request
        self.options = options
        output = try StripOutput(request.destination, options)
        spool = try SpoolFile()
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let offset = try spool.append(page.bytes)
        pages.append(try StripPage(page, at: offset, limits: request.limits))
        return FileName.last(of: request.destination.path)
    }

    func finish() async throws {
        guard !pages.isEmpty else {
            throw AdapterError(.empty, "there is no page to make a strip of", file: request.destination.path)
        }
        let layout = StripLayout(pages.map(\.size), options)
        try refuseTooLarge(layout.size)
        if let joined = try JPEGJoin.joined(pages, layout, options, spool) {
            try output.add(joined, named: StripOutput.name(0, of: 1, options.format))
            let remake = Remake(.lossless, "joined with the others in a JPEG strip without loss")
            for page in pages { remakes[page.number] = remake }
        } else {
            let plan = StripPlan(
                pages: pages, layout: layout, options: options, format: StripFormat(pages, options), spool: spool,
                limits: request.limits, width: request.width)
            if options.isLossless { try refuseLoss(plan) }
            try await plan.draw(into: output)
            for (index, page) in pages.enumerated() { remakes[page.number] = plan.remake.losing(plan.losses(index)) }
        }
        try output.publish()
    }

    private func refuseLoss(_ plan: StripPlan) throws(AdapterError) {
        if !options.keepsPixels {
            throw AdapterError(
                .unsupported, "the pages cannot be joined in a JPEG strip without loss",
                advice: "without --lossless they would be encoded anew; a PNG strip keeps every pixel",
                file: request.destination.path)
        }
        for (index, page) in pages.enumerated() {
            guard let loss = plan.losses(index).first else { continue }
            throw AdapterError(
                .unsupported, "the page would be laid into the strip \(loss.rawValue)", advice: loss.advice,
                file: request.destination.path, page: page.name)
        }
    }

    private func refuseTooLarge(_ size: PixelSize) throws(AdapterError) {
        let (along, across) =
            options.isVertical ? (size.height, size.width) : (size.width, size.height)
        let most = options.mostAcross
        if along > options.mostAlong && options.most == nil && !options.isTiled {
            throw AdapterError(
                .tooLarge, "the strip would be \(size) pixels, and a \(options.format.name) holds no more than \(most)",
                advice: "slice it with --strip-max \(most) into a folder (-o name/ --to strip), or make a PNG",
                file: request.destination.path)
        }
        if across > most || (options.most ?? 0) > most {
            throw AdapterError(
                .tooLarge, "a \(options.format.name) holds no more than \(most) pixels a side",
                advice: across > most ? "scale pages down with --fit, or make a PNG" : "use --strip-max \(most)",
                file: request.destination.path)
        }
    }
}

extension Remake {
    /// The same for a page that lost something as well.
    func losing(_ losses: [StripLoss]) -> Remake {
        if losses.isEmpty { return self }
        let what = losses.map(\.rawValue).joined(separator: " and ")
        return Remake(max(treatment, .encoded), "\(reason), \(what)", output: output)
    }
}
