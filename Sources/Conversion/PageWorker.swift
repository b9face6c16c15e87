internal import AdapterKit
internal import PageModel

/// What came of one page.
struct PageOutcome: Sendable {
    struct Finished: Sendable {
        let plan: PagePlan
        /// nil when only the plan was wanted.
        let picture: FinishedPicture?
    }

    let page: Page
    /// nil when the page had to be left out.
    var finished: Finished?
    var warnings: [Warning] = []
    /// Why it had to.
    var failure: AdapterError?
}

/// Takes one page from its source to the bytes of the output.
struct PageWorker: Sendable {
    let planner: Planner
    let limits: Limits
    let isDryRun: Bool
    /// Whether only ways that keep every pixel will do.
    let isLossless: Bool

    /// Works on a page. Pages that were to be made one, and cannot be, stay single.
    ///
    /// - Throws: as `outcome(of:)` does.
    func work(on page: Page) async throws -> [PageOutcome] {
        let whole = try await outcome(of: page)
        guard let failure = whole.failure, !page.parts.isEmpty else { return [whole] }
        var outcomes: [PageOutcome] = []
        for var part in page.parts {
            // What was asked of the whole is asked of each.
            part.edits += page.edits
            outcomes.append(try await outcome(of: part))
        }
        // What is wrong with one of them is reason enough, and has been said.
        if outcomes.allSatisfy(\.warnings.isEmpty) {
            outcomes[0].warnings.append(
                warning("not-merged", page, "\(page.name) was not merged: \(failure.message)", failure.advice))
        }
        return outcomes
    }

    /// A damaged page does not throw: it is left out, or had by a more lossy way, with a warning.
    ///
    /// - Throws: `CancellationError`; `.unsupported` for a page that cannot be had without loss, when it must;
    ///   `.usage` when nothing would be left of a page.
    private func outcome(of page: Page) async throws -> PageOutcome {
        var outcome = PageOutcome(page: page)
        do {
            let picture = try await page.examine()
            let plans = try planner.plans(for: page, picture).filter { plan in
                !isLossless || plan.treatment == .verbatim || plan.treatment == .lossless
            }
            guard !plans.isEmpty else { throw try refusal(page, picture) }
            // A page that is copied is not decoded again, and so its damage would not show.
            if let damage = page.layout?.damage {
                outcome.warnings.append(warning("damaged-page", page, "\(page.name): \(damage)"))
            }
            for defect in picture.defects {
                outcome.warnings.append(warning("damaged-page", page, "\(page.name): \(defect)"))
            }
            // What is put together is decoded, or at least held, whole: that can be foreseen.
            if !page.parts.isEmpty, let size = picture.size { try PagePlan.check(size, limits) }
            if isDryRun {
                outcome.finished = PageOutcome.Finished(plan: plans[0], picture: nil)
            } else {
                try await carryOut(plans, into: &outcome)
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as AdapterError where error.code == .usage || isLossless && error.code == .unsupported {
            throw error
        } catch {
            let failure = error as? AdapterError ?? AdapterError(.damaged, "\(error)")
            outcome.failure = failure
            outcome.warnings = [
                warning("page-left-out", page, "\(page.name) was left out: \(failure.message)", failure.advice)
            ]
        }
        return outcome
    }

    /// Why a page cannot be had without loss.
    private func refusal(_ page: Page, _ picture: Picture) throws -> AdapterError {
        let best = try planner.plans(for: page, picture)[0]
        return AdapterError(
            .unsupported, "would have to be \(best.treatment.rawValue): \(best.reason)",
            advice: "without --lossless it would be", page: page.name)
    }

    private func carryOut(_ plans: [PagePlan], into outcome: inout PageOutcome) async throws {
        let page = outcome.page
        for (plan, next) in zip(plans, plans.dropFirst().map(Optional.init) + [nil]) {
            do {
                try Task.checkCancellation()
                let picture = try await plan.carryOut(limits: limits)
                let plan = try plan.losing(picture.loss, isAllowed: !isLossless, page: page.name)
                // One warning a page is enough: the first says most, others follow from it.
                if outcome.warnings.isEmpty, let defect = picture.defects.first {
                    outcome.warnings.append(warning("damaged-page", page, "\(page.name): \(defect)"))
                }
                outcome.finished = PageOutcome.Finished(plan: plan, picture: picture)
                return
            } catch let error as AdapterError {
                // A limit holds for every way to the page.
                guard let next, error.code != .tooLarge else { throw error }
                // What PNG cannot hold is no damage: the next way is simply the best there is.
                if error.code == .unsupported { continue }
                let instead = next.treatment == .drawn ? "it was drawn instead" : "another way was taken"
                outcome.warnings.append(
                    warning("damaged-page", page, "\(page.name): \(error.message); \(instead)", error.advice))
            }
        }
    }

    private func warning(_ code: String, _ page: Page, _ message: String, _ advice: String? = nil) -> Warning {
        Warning(code: code, page: page.sourceID, message: message, advice: advice)
    }
}
