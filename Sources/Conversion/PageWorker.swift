internal import AdapterKit
internal import PageModel
internal import Synchronization

/// What came of one page.
struct PageOutcome: Sendable {
    struct Finished: Sendable {
        let plan: PagePlan
        /// nil when only the plan was wanted.
        let result: PageResult?
        /// Pixels per inch of the page as it is shown, where that is known.
        let resolution: Resolution?
        /// The page's text and links, as far as the output has a place for them.
        var text: PlacedText?
        /// What the sink made of the page by itself.
        var companion: [UInt8]?
        /// What belongs to the page and the output has no place for.
        var lost: Set<SinkCapabilities.Feature> = []
        /// Nil where none are wanted.
        var digests: PageDigests?
        /// What options did to the page.
        var effects: Set<Effect> = []
    }

    let page: Page
    /// nil when the page had to be left out.
    var finished: Finished?
    var warnings: [Warning] = []
    /// Why it had to.
    var failure: AdapterError?
}

/// Takes one page from its source to what the output gets of it.
struct PageWorker: Sendable {
    let planner: Planner
    let limits: Limits
    let isDryRun: Bool
    /// Whether only treatments that keep every pixel will do.
    let isLossless: Bool
    /// The pages that links may lead to.
    let targets: LinkTargets
    /// The memory that the sink takes to make what goes beside a page's picture.
    let companionMemory: @Sendable (EncodedPicture) -> Int
    /// The digests to find; nil for none.
    var wish: DigestWish?

    /// A page that remembers what its picture is, and the bytes of memory that `work` on it takes, as far as can be told.
    ///
    /// - Throws: `CancellationError`. What is wrong with the page is told when it is worked on.
    func prepared(_ page: Page) async throws -> (Page, bytes: Int) {
        if isDryRun { return (page, 0) }
        guard page.isShownAsSpread(planner.capabilities) else { return try await examined(page) }
        var (page, most) = (page, 0)
        for index in page.parts.indices {
            let (part, bytes) = try await examined(page.parts[index])
            page.parts[index] = part
            // They are worked on one after the other.
            most = max(most, bytes)
        }
        return (page, most)
    }

    private func examined(_ page: Page) async throws -> (Page, bytes: Int) {
        do {
            let picture = try await page.examine()
            var page = page
            page.examine = { picture }
            let plan = try? planner.plans(for: page, picture).first(where: isAllowed)
            let companion = plan?.result.map(companionMemory) ?? 0
            return (page, MemoryEstimate.sum(plan?.memory ?? 0, companion))
        } catch let error as CancellationError {
            throw error
        } catch {
            return (page, 0)
        }
    }

    private func isAllowed(_ plan: PagePlan) -> Bool {
        !isLossless || plan.keepsEveryPixel
    }

    /// Works on a page. Pages that were to be made one, and cannot be, stay single; so do those that the output shows
    /// as a spread by itself.
    ///
    /// - Throws: as `outcome(of:)` does.
    func work(on page: Page) async throws -> [PageOutcome] {
        if page.isShownAsSpread(planner.capabilities) { return try await outcomes(ofPartsOf: page, inSpread: true) }
        let whole = try await outcome(of: page)
        guard let failure = whole.failure, !page.parts.isEmpty else { return [whole] }
        var outcomes = try await outcomes(ofPartsOf: page, inSpread: false)
        // What is wrong with one of them is reason enough, and has been said.
        if outcomes.allSatisfy(\.warnings.isEmpty) {
            outcomes[0].warnings.append(
                warning("not-merged", page, "\(page.name) was not merged: \(failure.explanation)", failure.advice))
        }
        return outcomes
    }

    private func outcomes(ofPartsOf page: Page, inSpread: Bool) async throws -> [PageOutcome] {
        var outcomes: [PageOutcome] = []
        for var part in page.parts {
            // What was asked of the whole is asked of each.
            part.edits += page.edits
            let isPaired = inSpread && part.side != .single
            var outcome = try await outcome(
                of: part, note: isPaired ? Note(.shownInSpread, ["side": part.side.rawValue]) : nil)
            if inSpread { outcome.finished?.effects.insert(.shownAsSpread) }
            outcomes.append(outcome)
        }
        return outcomes
    }

    /// A damaged page does not throw: it is left out, or made from a more lossy representation, with a warning.
    ///
    /// - Parameter note: something more to say of the treatment.
    /// - Throws: `CancellationError`; `.unsupported` for a page that cannot be had without loss, when it must;
    ///   `.usage` when nothing would be left of a page.
    private func outcome(of page: Page, note: Note? = nil) async throws -> PageOutcome {
        var outcome = PageOutcome(page: page)
        do {
            var picture = try await page.examine()
            let recorder = wish.map(DigestRecorder.init)
            if let recorder { picture = recorder.watching(picture, of: page.name) }
            var plans = try planner.plans(for: page, picture).filter(isAllowed)
            guard !plans.isEmpty else { throw try refusal(page, picture) }
            for index in plans.indices { plans[index].reason = plans[index].reason.with(.detail, note) }
            outcome.warnings += warnings(ofDefectsIn: picture, page)
            // A page that is copied is not decoded again, and so its damage would not show.
            if let damage = page.layout?.damage, !outcome.warnings.tellOfDamage {
                outcome.warnings.append(warning("damaged-page", page, "\(page.name): \(damage)"))
            }
            let resolution = picture.resolution(of: page)
            if isDryRun {
                try plans[0].check(Renderer(limits: limits))
                warn(ofDrawingsIn: plans[0], page, &outcome.warnings)
                let reading = takesText ? await plans[0].noteOfReading(page, picture) : nil
                plans[0].reason = plans[0].reason.with(.detail, reading)
                outcome.finished = PageOutcome.Finished(plan: plans[0].withDoubts, result: nil, resolution: resolution)
            } else {
                var (plan, result) = try await carryOut(plans, page, recorder, &outcome.warnings)
                // What only reading the picture has shown.
                if !outcome.warnings.tellOfDamage { outcome.warnings += warnings(ofDefectsIn: picture, page) }
                warn(ofDrawingsIn: plan, page, &outcome.warnings)
                let text = try await text(of: page, picture, plan, &outcome.warnings)
                plan.reason = plan.reason.with(.detail, text?.note)
                outcome.finished = PageOutcome.Finished(plan: plan, result: result, resolution: resolution, text: text)
                outcome.finished?.digests = recorder.map { PageDigests($0, page, plan, result) }
            }
            let effects = outcome.finished?.plan.effects(on: page, picture, planner)
            outcome.finished?.effects = effects ?? []
            outcome.finished?.lost = LostText.lost(picture, in: planner.capabilities)
        } catch let error as CancellationError {
            throw error
        } catch let error as AdapterError where error.code == .usage || isLossless && error.code == .unsupported {
            throw error
        } catch {
            // What fails in a run that is interrupted says nothing of the page.
            try Task.checkCancellation()
            let failure = AdapterError(rendering: error)
            outcome.failure = failure
            outcome.warnings = [
                warning(
                    "page-left-out", page,
                    "\(page.name) \(isDryRun ? "would be" : "was") left out: \(failure.explanation)", failure.advice)
            ]
        }
        return outcome
    }

    private var takesText: Bool { planner.capabilities.features.contains(.text) }

    /// The page's text and links. What is wrong with them costs it nothing else.
    ///
    /// - Throws: `CancellationError`.
    private func text(
        of page: Page, _ picture: Picture, _ plan: PagePlan, _ warnings: inout [Warning]
    ) async throws -> PlacedText? {
        do {
            return try await PlacedText(of: page, picture, plan, planner.capabilities.features, targets)
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let failure = AdapterError(rendering: error)
            // The copy of a page of a document has its own text and links.
            let isCopied = if case .copyDocument = plan.step { true } else { false }
            let what = isCopied ? "no text is read off it" : "its text and links are left out"
            warnings.append(
                warning("text-dropped", page, "\(page.name): \(what): \(failure.explanation)", failure.advice))
            return nil
        }
    }

    /// Why a page cannot be had without loss.
    private func refusal(_ page: Page, _ picture: Picture) throws -> AdapterError {
        let best = try planner.plans(for: page, picture)[0]
        return AdapterError(
            .unsupported, "would have to be \(best.treatment.rawValue): \(best.reason.english)",
            advice: "without --lossless it would be", page: page.name)
    }

    /// Carries out the first plan that can be carried out.
    private func carryOut(
        _ plans: [PagePlan], _ page: Page, _ recorder: DigestRecorder?, _ warnings: inout [Warning]
    ) async throws -> (PagePlan, PageResult) {
        let digester = recorder.map { PageDigester(recorder: $0, name: page.name) }
        let renderer = Renderer(limits: limits, digester: digester)
        /// Why what lies over the picture could not be laid on it.
        var obstacle: Note?
        for (var plan, next) in zip(plans, plans.dropFirst().map(Optional.init) + [nil]) {
            do {
                try Task.checkCancellation()
                plan.reason = plan.reason.with(.cause, obstacle)
                let result = try await plan.carryOut(renderer) { plans, part in
                    try await carryOut(plans.filter(isAllowed), part, recorder, &warnings)
                }
                let plan = try (result.plan ?? plan).toldOfPatch()
                    .losing(result.loss, isAllowed: !isLossless, page: page.name)
                // One warning a page is enough: the first says most, others follow from it.
                if !warnings.tellOfDamage, let defect = result.defects.first {
                    warnings.append(warning("damaged-page", page, "\(page.name): \(defect)"))
                }
                if let warning = Warning.firstPictureOnly(of: page, result.pictureCount) { warnings.append(warning) }
                return (plan, result)
            } catch let error as AdapterError {
                // A limit holds for every representation of the page.
                guard let next, error.code != .tooLarge else { throw error }
                // What PNG cannot hold is no damage: the next plan is simply the best there is.
                if error.code == .unsupported {
                    if plan.patch != nil { obstacle = Note(text: error.explanation) }
                    continue
                }
                let instead = next.treatment == .drawn ? "it was drawn instead" : "another way was taken"
                warnings.append(
                    warning("damaged-page", page, "\(page.name): \(error.explanation); \(instead)", error.advice))
            }
        }
        throw AdapterError(.unsupported, "the page has no picture", page: page.name)
    }

    private func warnings(ofDefectsIn picture: Picture, _ page: Page) -> [Warning] {
        picture.knownDefects.map { warning("damaged-page", page, "\(page.name): \($0)") }
    }

    /// Tells what the page lacks because it is drawn, or parts of it are: a page that is copied lacks nothing.
    private func warn(ofDrawingsIn plan: PagePlan, _ page: Page, _ warnings: inout [Warning]) {
        guard !warnings.tellOfDamage else { return }
        warnings += plan.drawingDefects.map { warning("damaged-page", page, "\(page.name): \($0)") }
    }

    private func warning(_ code: String, _ page: Page, _ message: String, _ advice: String? = nil) -> Warning {
        Warning(code: code, page: page.sourceID, message: message, advice: advice)
    }
}

extension Edit {
    /// Whether the edit means the same for a page and for each of the parts it is made of.
    var isTheSameForParts: Bool {
        switch self {
        case .gray, .tones, .depth: true
        case .crop, .keep, .inset, .turn, .mirror, .deskew, .flatten, .fit: false
        }
    }
}

extension Page {
    /// Whether the output shows the pages that this one was to be merged from as a spread, so that they need not be merged.
    ///
    /// What is asked of the merged page must mean the same for each of its parts: a box to fit the spread into does not.
    fileprivate func isShownAsSpread(_ capabilities: SinkCapabilities) -> Bool {
        capabilities.showsSpreads && !parts.isEmpty && edits.allSatisfy(\.isTheSameForParts)
    }
}

/// Remembers what pages' pictures were found to be, so that each is examined once.
///
/// Transforms and the run itself ask for the same pages again and again. What is remembered is a small value a page; beyond
/// a bound, pages are simply examined again.
final class Examinations: Sendable {
    private let pictures = Mutex<[Int: Picture]>([:])
    private let most: Int

    /// - Parameter most: of how many pages the pictures are remembered, at about a kilobyte each.
    init(most: Int = 8192) {
        self.most = most
    }

    /// The pages, with their pictures remembered from the first examination on. Copies of a page share it.
    ///
    /// - Precondition: no two pages have the same `id`.
    func remembering(_ pages: [Page]) -> [Page] {
        pages.map { page in
            var copy = page
            copy.examine = { [examine = page.examine, id = page.id] in
                if let known = self.pictures.withLock({ $0[id] }) { return known }
                let picture = try await examine()
                self.pictures.withLock { if $0.count < self.most { $0[id] = picture } }
                return picture
            }
            return copy
        }
    }
}

extension [Warning] {
    /// Whether one of them is of a damaged page: the first says most.
    fileprivate var tellOfDamage: Bool { contains(where: \.isOfDamage) }
}

extension Warning {
    /// Whether it is of a page that is damaged and came all the same.
    var isOfDamage: Bool { code == "damaged-page" }
}
