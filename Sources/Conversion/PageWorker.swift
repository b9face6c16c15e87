internal import AdapterKit
internal import PageModel

/// Converts one page from its source to the content for the output.
struct PageWorker: Sendable {
    let planner: Planner
    let limits: Limits
    let isDryRun: Bool
    /// The pages that links may target.
    let targets: LinkTargets
    /// The memory that the sink needs to make a page's attachment.
    let attachmentMemory: @Sendable (EncodedPicture) -> Int
    /// The effects of options in the run so far.
    let effects: Effects
    /// The digests to compute; nil for none.
    var digestRequest: DigestRequest?
    /// The images to share with other outputs of the run; nil for a run with one output.
    var sharing: ImageSharing?

    /// Returns the page with its plans, and an estimate of the bytes of memory that `work` on it takes.
    ///
    /// - Throws: `CancellationError`. Other errors of the page are reported when it is converted.
    func prepared(_ page: Page) async throws -> (PreparedPage, bytes: Int) {
        let isSpread = page.isShownAsSpread(in: planner.capabilities)
        var prepared = PreparedPage(
            page: page, isShownAsSpread: isSpread, pages: (isSpread ? page.separateParts : [page]).map { ($0, nil) })
        if isDryRun { return (prepared, 0) }
        // The parts of a spread are converted one after the other.
        var peak = 0
        for index in prepared.pages.indices {
            let page = prepared.pages[index].page
            var planned = sharing?.takePlans(of: page)
            if planned == nil { planned = try await examined(page) }
            guard let planned else { continue }
            prepared.pages[index] = (planned.page, planned)
            let plan = planned.plans.first
            let attachment = plan?.result.map(attachmentMemory) ?? 0
            peak = max(peak, MemoryEstimate.sum(plan?.memory ?? 0, attachment))
        }
        return (prepared, peak)
    }

    private func examined(_ page: Page) async throws -> PlannedPage? {
        do {
            return try await PlannedPage(page, planner, digestRequest)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }

    /// Converts a page. Pages stay separate if they cannot be merged, or if the output itself shows them as a spread.
    ///
    /// - Throws: the errors of `outcome(of:)`.
    func work(on prepared: PreparedPage) async throws -> [PageOutcome] {
        let page = prepared.page
        var worker = self
        worker.sharing = await sharing?.of(page)
        if prepared.isShownAsSpread {
            return try await worker.outcomes(of: prepared.pages, inSpread: true)
        }
        let whole = try await worker.outcome(of: prepared.pages[0].page, prepared.pages[0].planned)
        guard let failure = whole.failure, !page.parts.isEmpty else { return [whole.withOmissions] }
        var outcomes = try await worker.outcomes(of: page.separateParts.map { ($0, nil) }, inSpread: false)
        // A warning about one of them is a sufficient reason, and has been reported.
        if outcomes.allSatisfy(\.warnings.isEmpty) {
            outcomes[0].warnings.append(
                Warning(code: "not-merged", page, "not merged", because: failure))
        }
        outcomes[0].warnings += whole.omissions
        return outcomes
    }

    private func outcomes(
        of parts: [(page: Page, planned: PlannedPage?)], inSpread: Bool
    ) async throws -> [PageOutcome] {
        var outcomes: [PageOutcome] = []
        for (part, planned) in parts {
            let isPaired = inSpread && part.side != .single
            var outcome = try await outcome(
                of: part, planned,
                note: isPaired ? Note(.shownInSpread, ["side": part.side.rawValue]) : nil)
            if inSpread { outcome.finished?.effects.insert(.shownAsSpread) }
            outcomes.append(outcome.withOmissions)
        }
        return outcomes
    }

    /// Returns the outcome of a page, with `note` as a detail of its treatment. A damaged page is skipped or gets a more lossy
    /// representation, with a warning. Such damage does not throw.
    ///
    /// - Parameter planned: the plans, if they are known.
    /// - Throws: `CancellationError`; `.unsupported` if losses are forbidden and unavoidable; `.usage` if its edits cannot be
    ///   applied.
    private func outcome(
        of page: Page, _ planned: PlannedPage?, note: Note? = nil
    ) async throws -> PageOutcome {
        do {
            return try await converted(page, planned, note)
        } catch let error as CancellationError {
            throw error
        } catch let omitted as OmittedOperation {
            // Planned again, without the operations: a page that nothing else changes may even be copied. This ends,
            // because an omitted operation is never planned again.
            var worker = self
            worker.sharing = await sharing?.plannedAgain()
            var outcome = try await worker.outcome(of: page, nil, note: note)
            outcome.omissions = omitted.warnings + outcome.omissions
            return outcome
        } catch let error as AdapterError where error.code == .usage || planner.isLossless && error.code == .unsupported
        {
            throw error
        } catch {
            // Failures in an interrupted run are not caused by the page.
            try Task.checkCancellation()
            let failure = AdapterError(rendering: error)
            var outcome = PageOutcome(page: page)
            outcome.failure = failure
            outcome.warnings = [
                Warning(
                    code: "page-skipped", page, isDryRun ? "would be skipped" : "skipped", because: failure)
            ]
            return outcome
        }
    }

    /// Carries out the first feasible plan of a page, unless only the plan is requested.
    ///
    /// - Throws: `OmittedOperation` if the page has to be planned again.
    private func converted(_ page: Page, _ known: PlannedPage?, _ note: Note?) async throws -> PageOutcome {
        var outcome = PageOutcome(page: page)
        let planned =
            if let known, known.isCurrent { known } else { try await PlannedPage(page, planner, digestRequest) }
        let (picture, recorder) = (planned.picture, planned.recorder)
        var plans = planned.plans
        for index in plans.indices { plans[index].reason = plans[index].reason.with(.detail, note) }
        outcome.warnings += warnings(ofDefectsIn: picture, page)
        // A copied page is not decoded again, so its damage would not show.
        if let damage = page.findings.lazy.compactMap({ $0.damage }).first, !outcome.warnings.reportDamage {
            outcome.warnings.append(Warning(code: "damaged-page", page, damage))
        }
        let resolution = picture.resolution(of: page)
        do {
            if isDryRun {
                try plans[0].check(Renderer(limits: limits))
                warn(ofDrawingsIn: plans[0], page, &outcome.warnings)
                let reading = takesText ? plans[0].noteOfReading(page, picture) : nil
                plans[0].reason = plans[0].reason.with(.detail, reading)
                outcome.finished = PageOutcome.Finished(
                    plan: plans[0].withUncertainties, result: nil, resolution: resolution)
            } else {
                var (plan, result) = try await carryOut(plans, page, recorder, &outcome.warnings)
                // Only reading the image reveals these defects.
                if !outcome.warnings.reportDamage { outcome.warnings += warnings(ofDefectsIn: picture, page) }
                warn(ofDrawingsIn: plan, page, &outcome.warnings)
                let text = try await text(of: page, picture, plan, &outcome.warnings)
                plan.reason = plan.reason.with(.detail, text?.note)
                outcome.finished = PageOutcome.Finished(plan: plan, result: result, resolution: resolution, text: text)
                outcome.finished?.digests = recorder.map { PageDigests($0, page, plan, result) }
            }
        } catch let error as AdapterError where error.code == .tooLarge {
            // Without these operations, the page may fit into memory, or be copied.
            let operations = plans.flatMap(\.omittable)
            guard !operations.isEmpty else { throw error }
            throw OmittedOperation(warnings: operations.compactMap { $0.omit(because: error) })
        }
        let plan = outcome.finished?.plan
        outcome.finished?.effects = plan?.effects(on: page, picture, planner, after: effects.seen) ?? []
        outcome.finished?.lost = LostText.lost(picture, in: planner.capabilities)
        outcome.finished?.lostParts = plan.flatMap { LostParts(of: page, picture, $0, planner.request) }
        return outcome
    }

    private var takesText: Bool { planner.capabilities.features.contains(.text) }

    /// Returns the page's text and links. Errors in them do not affect the rest of the page.
    ///
    /// - Throws: `CancellationError`.
    private func text(
        of page: Page, _ picture: Picture, _ plan: PagePlan, _ warnings: inout [Warning]
    ) async throws -> PlacedText? {
        do {
            let text = try await PlacedText(of: page, picture, plan, planner.capabilities.features, targets)
            if let error = text.recognitionError {
                warnings.append(Warning(code: "text-dropped", page, "no text was recognized", because: error))
            }
            return text
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let failure = AdapterError(rendering: error)
            warnings.append(Warning(code: "text-dropped", page, "left out its text and links", because: failure))
            return nil
        }
    }

    /// Carries out the first feasible plan.
    private func carryOut(
        _ plans: [PagePlan], _ page: Page, _ recorder: DigestRecorder?, _ warnings: inout [Warning]
    ) async throws -> (PagePlan, PageResult) {
        let digester = recorder.map { PageDigester(recorder: $0, name: page.name) }
        var renderer = Renderer(limits: limits, digester: digester, sharing: sharing.map { ($0, page.id) })
        /// The reason that the overlay could not be merged into the image.
        var blocker: Note?
        for (var plan, next) in zip(plans, plans.dropFirst().map(Optional.init) + [nil]) {
            do {
                try Task.checkCancellation()
                // An overlay that cannot be merged does not make the image damaged.
                if let blocker { plan.reason = plan.reason.without(.damagedData).with(.cause, blocker) }
                let result = try await plan.carryOut(renderer) { plans, part in
                    try await carryOut(plans.filter(planner.allows), part, recorder, &warnings)
                }
                if case .copyDocument = plan.step {
                    try await recorder?.readStoredImage(try await page.examine(), of: page.name)
                }
                let plan = try (result.plan ?? plan).withPatchNote()
                    .losing(result.loss, isAllowed: !planner.isLossless, page: page.name)
                // One warning a page is enough: the first is the most informative, and others follow from it.
                if !warnings.reportDamage, let defect = result.defects.first {
                    warnings.append(Warning(code: "damaged-page", page, defect))
                }
                if let warning = Warning.firstPictureOnly(of: page, result.pictureCount) { warnings.append(warning) }
                if let dropped = result.dropped { warnings.append(Warning(code: "image-data-dropped", page, dropped)) }
                return (plan, result)
            } catch let error as AdapterError {
                // A limit holds for every representation of the page.
                guard let next, error.code != .tooLarge else { throw error }
                // The digests that the failed plan found belong to this output alone.
                if recorder != nil { renderer.sharing = nil }
                // Content that PNG cannot hold is not damage: the next plan is simply the best.
                if error.code == .unsupported {
                    if plan.patch != nil { blocker = Note(text: error.explanation) }
                    continue
                }
                warnings.append(
                    Warning(
                        code: "damaged-page", page,
                        next.treatment == .drawn
                            ? "\(error.explanation); rendered instead"
                            : "\(error.explanation); converted in another way",
                        hint: error.hint))
            }
        }
        throw AdapterError(.unsupported, "the page has no image", page: page.name)
    }

    private func warnings(ofDefectsIn picture: Picture, _ page: Page) -> [Warning] {
        picture.knownDefects.map { Warning(code: "damaged-page", page, $0) }
    }

    /// Warns about content that the page lacks because it, or a part of it, is rendered. A copied page lacks nothing.
    private func warn(ofDrawingsIn plan: PagePlan, _ page: Page, _ warnings: inout [Warning]) {
        guard !warnings.reportDamage else { return }
        warnings += plan.drawingDefects.map { Warning(code: "damaged-page", page, $0) }
    }
}

extension [Warning] {
    /// Whether one of them is about a damaged page. The first such warning is the most informative.
    fileprivate var reportDamage: Bool { contains(where: \.isOfDamage) }
}

extension Warning {
    /// Whether the warning is about a damaged page that is in the output nevertheless.
    var isOfDamage: Bool { code == "damaged-page" }
}
