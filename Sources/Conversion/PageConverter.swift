internal import AdapterKit
package import PageModel
internal import Planning

/// Converts one page from its source to the content for the output.
struct PageConverter: Sendable {
    let planner: Planner
    let limits: Limits
    let isDryRun: Bool
    /// The pages that links may target.
    let targets: LinkTargets
    /// The memory that the sink needs to make a page's attachment.
    let attachmentMemory: @Sendable (EncodedPicture) -> Int
    /// The pages of the book, for operations that need other pages than their own.
    var otherPages: any OtherPages = NoOtherPages()
    /// The images that several pages share; nil to decode them for each page.
    var sharedImages: SharedImages?
    /// Returns the observer of a page; nil for none.
    var observe: (@Sendable () -> any PageObserver)?

    /// Plans a page: the parts of a spread, if the output itself shows them as one, or the page as it is.
    ///
    /// In a dry run, `convert` plans it, because that is all of the work.
    ///
    /// - Returns: the pages, and an estimate of the bytes of memory that their conversion takes.
    /// - Throws: `CancellationError`. Other errors of the page are reported when it is converted.
    func plan(_ page: Page) async throws -> (pages: [PlannedPage], bytes: Int) {
        let isSpread = page.isShownAsSpread(in: planner.capabilities)
        var pages = (isSpread ? page.separateParts : [page]).map { PlannedPage($0, isOfSpread: isSpread) }
        if isDryRun { return (pages, 0) }
        // The parts of a spread are converted one after the other.
        var peak = 0
        for index in pages.indices {
            do {
                pages[index] = try await pages[index].planned(by: planner, observedBy: observe)
            } catch {
                try error.throwIfCancelled()
                continue
            }
            let plan = pages[index].plans.first
            let attachment = plan?.expectedPicture.map(attachmentMemory) ?? 0
            peak = max(peak, MemoryEstimate.sum(plan?.method.memory ?? 0, attachment))
        }
        return (pages, peak)
    }

    /// Converts a planned page. The parts of a merged page stay separate if they cannot be merged.
    ///
    /// - Throws: `CancellationError`; `.unsupported` if losses are forbidden and unavoidable; `.usage` if the edits of a
    ///   page cannot be applied.
    func convert(_ pages: [PlannedPage]) async throws -> [ConvertedPage] {
        defer { for page in pages { sharedImages?.finish(page.page) } }
        var converted: [ConvertedPage] = []
        for page in pages { converted.append(try await convert(page)) }
        guard pages.count == 1, !pages[0].isOfSpread, let failure = converted[0].failure,
            !pages[0].page.parts.isEmpty
        else { return converted }
        let (whole, omissions) = (pages[0].page, converted[0].warnings.dropFirst())
        converted = []
        for part in whole.separateParts { converted.append(try await convert(PlannedPage(part))) }
        // A warning about one of them is a sufficient reason, and has been reported.
        if converted.allSatisfy(\.warnings.isEmpty) {
            converted[0].warnings.append(Warning(code: "not-merged", whole, "not merged", because: failure))
        }
        converted[0].warnings += omissions
        return converted
    }

    /// Converts one page of the output. A damaged page is skipped or gets a more lossy representation, with a warning.
    /// Such damage does not throw.
    private func convert(_ given: PlannedPage) async throws -> ConvertedPage {
        var omissions: [Warning] = []
        while true {
            do {
                let planned = try await given.planned(by: planner, observedBy: observe)
                var converted = try await isDryRun ? foreseen(planned) : carriedOut(planned)
                converted.warnings += omissions
                return converted
            } catch let omitted as OmittedOperation {
                // Planned again, without the operations: a page that nothing else changes may even be copied. This ends,
                // because an omitted operation is never planned again.
                omissions += omitted.warnings
            } catch let error as AdapterError
                where error.code == .usage || planner.isLossless && error.code == .unsupported
            {
                throw error
            } catch {
                try error.throwIfCancelled()
                var skipped = ConvertedPage(given)
                let failure = AdapterError(rendering: error)
                skipped.failure = failure
                let what: Message = isDryRun ? "would be skipped" : "skipped"
                skipped.warnings = [Warning(code: "page-skipped", given.page, what, because: failure)] + omissions
                return skipped
            }
        }
    }

    /// Returns what converting a page would do, as far as it shows without reading the image.
    private func foreseen(_ planned: PlannedPage) throws -> ConvertedPage {
        var converted = ConvertedPage(planned)
        guard let picture = planned.picture, var plan = planned.plans.first else {
            throw AdapterError.noImage(on: planned.page)
        }
        converted.warnings = warningsOfDamage(in: picture, planned.page)
        do {
            try plan.check(Renderer(limits: limits))
        } catch {
            throw ending(planned, with: error)
        }
        warn(ofDrawingsIn: plan, &converted)
        let reading =
            planner.capabilities.features.contains(.text) ? plan.noteOfReading(planned.page, picture) : nil
        plan.reason = plan.reason.with(.detail, reading)
        (converted.picture, converted.plan) = (picture, plan.withUncertainties)
        return converted
    }

    /// Carries out the first feasible plan of a page, then reads its text and links.
    ///
    /// - Throws: `OmittedOperation` if the page has to be planned again.
    private func carriedOut(_ planned: PlannedPage) async throws -> ConvertedPage {
        var converted = ConvertedPage(planned)
        guard let picture = planned.picture else { throw AdapterError.noImage(on: planned.page) }
        let page = planned.page
        converted.warnings = warningsOfDamage(in: picture, page)
        var plan: PagePlan
        let result: PageResult
        do {
            (plan, result) = try await carryOut(planned.plans, page, planned.observer, &converted.warnings)
        } catch {
            throw ending(planned, with: error)
        }
        // The overlay is rendered to find its place. The result is then that of the image alone, without loss if possible.
        if plan.hidesOverlay(result.patchResult),
            let bare = try await planned.plannedWithoutOverlay(by: planner, observedBy: observe)
        {
            var converted = try await carriedOut(bare)
            converted.picture = picture
            if let plan = converted.plan { converted.plan?.reason = plan.reason.with(.detail, Note(.overlayInvisible)) }
            return converted
        }
        warn(ofDrawingsIn: plan, &converted)
        converted.text = try await text(of: page, picture, plan, &converted.warnings)
        plan.reason = plan.reason.with(.detail, converted.text?.note)
        (converted.picture, converted.plan, converted.result) = (picture, plan, result)
        converted.evidence = planned.observer?.converted(page, plan, result)
        return converted
    }

    /// Carries out the first feasible of several plans for a page, or for a part of it.
    private func carryOut(
        _ plans: [PagePlan], _ page: Page, _ observer: (any PageObserver)?, _ warnings: inout [Warning]
    ) async throws -> (PagePlan, PageResult) {
        let renderer = Renderer(
            limits: limits, otherPages: otherPages, sharedImages: sharedImages?.images(of: page), observer: observer,
            name: page.name)
        /// The reason that the overlay could not be merged into the image.
        var blocker: Note?
        for (var plan, next) in zip(plans, plans.dropFirst().map(Optional.init) + [nil]) {
            do {
                try Task.checkCancellation()
                // An overlay that cannot be merged does not make the image damaged.
                if let blocker { plan.reason = plan.reason.without(.damagedData).with(.cause, blocker) }
                let result = try await plan.carryOut(renderer) { plans, part in
                    try await carryOut(plans.filter(planner.allows), part, observer, &warnings)
                }
                if case .page = plan.method.kept {
                    try await observer?.copied(try await page.examine(), of: page.name)
                }
                let plan = try (result.plan ?? plan).withNote(on: result.patchResult)
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
                // Content that PNG cannot hold is not damage: the next plan is simply the best.
                if error.code == .unsupported {
                    if plan.method.overlay != nil { blocker = Note(text: error.explanation) }
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
        throw AdapterError.noImage(on: page)
    }

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
        } catch {
            try error.throwIfCancelled()
            let failure = AdapterError(rendering: error)
            warnings.append(Warning(code: "text-dropped", page, "left out its text and links", because: failure))
            return nil
        }
    }

    /// Returns the error that ends the work on a page. A page that takes too much memory is planned again without optional
    /// operations. It may then fit into memory, or be copied.
    private func ending(_ planned: PlannedPage, with error: any Error) -> any Error {
        let operations = planned.plans.flatMap(\.method.omittable)
        guard let error = error as? AdapterError, error.code == .tooLarge, !operations.isEmpty else { return error }
        return OmittedOperation(warnings: operations.compactMap { $0.omit(because: error) })
    }

    /// Returns the warnings about damage that is known before the image is read.
    private func warningsOfDamage(in picture: Picture, _ page: Page) -> [Warning] {
        let known = picture.knownDefects.map { Warning(code: "damaged-page", page, $0) }
        // A copied page is not decoded again, so the damage that its analysis found would not show.
        guard !known.reportDamage, let damage = page.findings.lazy.compactMap({ $0.damage }).first else { return known }
        return known + [Warning(code: "damaged-page", page, damage)]
    }

    /// Warns about content that the page lacks because it, or a part of it, is rendered. A copied page lacks nothing.
    private func warn(ofDrawingsIn plan: PagePlan, _ converted: inout ConvertedPage) {
        guard !converted.warnings.reportDamage else { return }
        converted.warnings += plan.drawingDefects.map { Warning(code: "damaged-page", converted.page, $0) }
    }
}

extension AdapterError {
    /// Returns the error for a page without any image.
    package static func noImage(on page: Page) -> AdapterError {
        AdapterError(.unsupported, "the page has no image", page: page.name)
    }
}

extension [Warning] {
    /// Whether one of them is about a damaged page. The first such warning is the most informative.
    fileprivate var reportDamage: Bool { contains(where: \.isOfDamage) }
}

extension Warning {
    /// Whether the warning is about a damaged page that is in the output nevertheless.
    package var isOfDamage: Bool { code == "damaged-page" }
}
