internal import AdapterKit
internal import Imaging
package import PageModel

extension PagePlan {
    /// Carries out the plan.
    ///
    /// - Parameter part: carries out the first feasible plan for a part of the page.
    /// - Throws: `AdapterError`. The code is `.damaged` if the next plan may do better. It is `.unsupported` if the result cannot
    ///   become smaller as required, or would lack images of a file that must stay complete.
    package func carryOut(
        _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        try check(renderer)
        if !alternatives.isEmpty, try await cannotShrink() {
            throw AdapterError(.unsupported, "it would lose quality without becoming smaller")
        }
        let result: PageResult
        do {
            result = try await method.carryOut(self, renderer, part: part)
        } catch let fault as PictureFault {
            throw AdapterError(rendering: fault)
        }
        guard let alternative = alternatives.first, let size = result.content.byteCount else { return result }
        do {
            var other = try await alternative.carryOut(renderer, part: part)
            guard let otherSize = other.content.byteCount, otherSize <= size else { return result }
            other.plan = other.plan ?? alternative
            return other
        } catch _ as AdapterError {
            return result
        }
    }

    /// Returns whether all its sources are JPEGs at least as coarse as requested. Re-encoding them would only lose quality.
    private func cannotShrink() async throws -> Bool {
        guard let parameters = method.parameters, parameters.format == .jpeg else { return false }
        for source in method.pixelSources {
            guard case .encoded(let jpeg)? = source.best?.representation,
                parameters.isReached(by: try await jpeg.read().bytes)
            else { return false }
        }
        return true
    }

    /// - Throws: `.tooLarge` if the pixels or the memory for the work exceed the limits.
    package func check(_ renderer: Renderer) throws(AdapterError) {
        try method.check(renderer)
        try renderer.check(memory: method.memory)
    }
}
