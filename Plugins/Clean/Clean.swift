public import AdapterKit
internal import Imaging
internal import LayoutAnalysis
internal import OrderedWork
public import PageModel

/// A transform that cleans scans: white paper, black and white print.
///
/// The pipeline of `--whiten`: `PaperReading` finds the paper of each page and the light on it. `BookPaperLight` compares the
/// pages. `Whiten` divides the page by that light when it is converted.
public struct Clean: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "clean", summary: "whitens paper, removes specks and makes print black and white", extensions: [],
        settings: [
            Setting(
                "whiten", .choice(Mode.allCases.map(\.rawValue)), implied: Mode.auto.rawValue, valueName: "mode",
                topic: "clean", help: "Make paper white and evenly lit",
                details:
                    "Auto leaves pages alone that show art in color. Paper whitens every page that shows its paper. "
                    + "Covers and plates stay as they are",
                followsOption: RemoveShowThrough.id,
                effect: EffectRule(
                    unless: "no page has paper that is darker than white, and like that of its neighbors",
                    ifUnseen: "no page among those that could be analyzed has paper to whiten", for: "whiten")),
            Setting(
                "paper", .color, default: "white", valueName: "color", topic: "clean",
                help: "Set the color of whitened paper, such as #fff8e7 (cream)",
                needs: "whiten", effect: EffectRule(unless: "no page was whitened")),
            Setting(
                "despeckle", .flag, valueName: "", topic: "clean",
                help: "Remove dust that is far from all print",
                details: "Punctuation, accents, dotted lines and screentones stay",
                effect: EffectRule(
                    unless: "no page has specks",
                    ifUnseen: "no page that could be analyzed has specks", for: "despeckle")),
            Setting(
                "borders", .choice(["paper"]), implied: "paper", valueName: "mode", topic: "clean",
                help: "Make paper of the scanner's dark borders and of punch holes",
                details: "Pages of art and dark areas that show print stay",
                effect: EffectRule(
                    unless: "no page has borders to fill",
                    ifUnseen: "no page that could be analyzed has borders to fill", for: "borders")),
            Setting(
                "bilevel", .choice(["text", "mixed"]), implied: "text", valueName: "mode", topic: "clean",
                help: "Make pages black and white, for text",
                details:
                    "Thresholds follow the print of each page, so stains and shadows become paper. Mixed keeps images "
                    + "and tones, and stores them below the print in a PDF",
                effect: EffectRule(
                    unless: "no page is mostly print",
                    ifUnseen: "no page that could be analyzed is mostly print", for: "bilevel")),
            Setting(
                "bilevel-dpi", .integer(Enlargement.resolutions), valueName: "n", topic: "clean",
                help: "Scale pages up to so many pixels per inch for --bilevel",
                details:
                    "Outlines get finer steps. Pages whose resolution is unknown, or below a quarter of it, keep their "
                    + "size",
                needs: "bilevel", followsOption: "fit",
                effect: EffectRule(
                    unless: "no page has a known resolution below it",
                    ifUnseen: "no page that could be analyzed has a known resolution below it", for: "bilevel-dpi")),
            Setting(
                "clean-sheet", .newFile, valueName: "file", topic: "clean",
                help: "Write a sheet (HTML) of pages before and after cleaning"),
            Setting(
                "clean-file", .keptFile, valueName: "file", topic: "clean",
                help: "Clean the pages that this file names; with -n, create it"),
        ])

    /// The pages that `--whiten` changes.
    enum Mode: String, CaseIterable {
        case auto
        case paper
    }

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        let options = try CleanOptions(settings)
        let cleaning = Pass(.clean) { sequence, request in try await Clean.cleaned(sequence, options, request) }
        let bilevel = settings["bilevel"].map { mode in
            Pass(.shades) { sequence, request in
                let resolution = try Enlargement.resolution(settings)
                let boxes = try await Clean.enlarged(sequence, to: resolution, request)
                return mode == "mixed"
                    ? try await Clean.mixed(boxes.sequence, boxes.boxes, request)
                    : Clean.bilevel(boxes.sequence, boxes.boxes, request)
            }
        }
        return (options.cleans ? [cleaning] : []) + [bilevel].compactMap(\.self)
    }

    private static func cleaned(
        _ sequence: PageSequence, _ options: CleanOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let decisions = try await CleanDecisions(options, sequence.pages, request)
        var result = sequence
        if options.fillsBorders { result = try await bordersFilled(result, decisions, request) }
        if let mode = options.whiten {
            result = try await whitened(result, mode, options, decisions, request)
        }
        if options.despeckles { result = try await despeckled(result, decisions, request) }
        try await decisions.write(of: sequence.book, before: sequence.pages, after: result.pages, request)
        return result
    }

    private static func despeckled(
        _ sequence: PageSequence, _ decisions: CleanDecisions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let kept = Set(sequence.pages.filter { !decisions.despeckles($0) }.map(\.id))
        var result = sequence
        var index = 0
        try await forEachInOrder(sequence.pages, width: request.width) {
            page -> (boxes: [Despeckle.Box], finding: SpeckFinding) in
            guard !kept.contains(page.id) else { return (boxes: [], finding: SpeckFinding(count: nil)) }
            // A speck may be one pixel.
            let seen = try await request.look(at: page, pixels: .max, as: .brightness, for: "despeckle")
            return seen.specks
        } body: { specks in
            result.pages[index].findings[SpeckFinding.self] = specks.finding
            if !specks.boxes.isEmpty {
                result.pages[index].edits.append(.change(Despeckle(specks: specks.boxes)))
                request.effects.note(option: "despeckle")
            }
            index += 1
        }
        return result
    }

    private static func whitened(
        _ sequence: PageSequence, _ mode: Mode, _ options: CleanOptions, _ decisions: CleanDecisions,
        _ request: TransformRequest
    ) async throws -> PageSequence {
        let paper = options.paper
        var result = sequence
        var (readings, leaves): ([PaperReading?], _) = ([], BookLeaves())
        // One look at a page serves both, because decoding takes as long as they do.
        let scale = options.removesShowThrough ? try await LeafScale(sequence.pages, width: request.width) : nil
        try await forEachInOrder(sequence.pages, width: request.width) { page in
            let pixels = PaperLimits.minimumPixels
            return switch try await request.look(at: page, pixels: pixels, as: .color, for: "whiten") {
            case .seen(let preview):
                try await Seen(preview, of: page, scale, request)
            case .unseen(let reason, let damage, _):
                Seen.unread(PaperFinding(remark: "not whitened: \(reason)", damage: damage))
            }
        } body: { seen in
            switch seen {
            case .read(let reading, let view):
                readings.append(reading)
                leaves.append(view)
            case .unread(let finding):
                result.pages[readings.count].findings[PaperFinding.self] = finding
                readings.append(nil)
                leaves.append(nil)
                if scale != nil { request.effects.note(.notAnalyzed(for: RemoveShowThrough.id)) }
            }
        }
        result = Leaves.changed(result, leaves)
        let book = BookPaperLight(readings)
        for (index, reading) in readings.enumerated() {
            guard let reading else { continue }
            let proposed = reading.decision(
                agreement: book.agreement(of: index), mayChangeArt: mode == .paper, becomes: paper)
            let finding = decisions.whitening(
                of: result.pages[index], proposed, canWhiten: reading.correction != nil)
            result.pages[index].findings[PaperFinding.self] = finding
            if decisions.leavesAlone(result.pages[index]) { result.pages[index].keepShowThrough() }
            guard finding.isWhitened, let surface = reading.correction else { continue }
            // A preview does not show the effect of an operation that needs another page.
            let readsAgain = result.pages[index].findings[ShowThroughFinding.self] != nil
            result.pages[index].edits.append(.change(Whiten(surface, paper: paper, readsAgain: readsAgain)))
            request.effects.note([.option("whiten"), .option("paper")])
        }
        return result
    }

    /// The paper of a page with its view for the search for leaves, or the reason that it is unknown.
    private enum Seen: Sendable {
        case read(PaperReading, LeafView?)
        case unread(PaperFinding)

        init(_ preview: PagePreview, of page: Page, _ scale: LeafScale?, _ request: TransformRequest) async throws {
            // Only the paper has a color.
            var gray = preview
            gray.raster = preview.raster.gray()
            let sheet = try await request.sheet(of: page, gray)
            self = .read(
                PaperReading(preview.raster, gray: gray.raster, in: sheet), scale.flatMap { LeafView(gray, $0) })
        }
    }
}

extension PreviewResult {
    /// The specks of the page, and the finding about them.
    fileprivate var specks: (boxes: [Despeckle.Box], finding: SpeckFinding) {
        switch self {
        case .unseen(let reason, let damage, _): return ([], SpeckFinding(unseen: reason, damage: damage))
        case .seen(let preview):
            let boxes = Specks(preview.raster).boxes.compactMap { Despeckle.Box(preview.page($0.rect)) }
            return (boxes, SpeckFinding(count: boxes.count))
        }
    }
}

extension Page {
    /// Omits the removal of show-through.
    fileprivate mutating func keepShowThrough() {
        findings[ShowThroughFinding.self] = nil
        for edit in edits { _ = (edit.operation as? RemoveShowThrough)?.omit() }
    }
}
