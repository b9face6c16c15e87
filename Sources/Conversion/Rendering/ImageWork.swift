internal import AdapterKit
internal import Imaging
internal import PageModel

/// The work that makes the encoded image of a page. Plans with equal work make the same bytes in one run.
struct ImageWork: Hashable, Sendable {
    /// The kinds of work, with everything in which two plans for one representation can differ.
    enum Step: Hashable, Sendable {
        case operate(Framing, ImageEncoding)
        case pack(Framing)
        case render(PixelOperations, EncodingParameters)
        case join(PixelSize, ImageEncoding)
        /// The operations on each representation of each part count, because they may be omitted between two outputs.
        case compose([[PixelOperations]], PixelOperations, EncodingParameters)
    }

    /// The page, as `Page.id`.
    let page: Int
    /// The place of the used image among the representations of the page.
    let representation: Int
    let step: Step
}

extension PagePlan {
    /// Returns the work on a page; nil if the output gets copied data or pixels.
    ///
    /// A JPEG that is restored from a JPEG XL is not encoded, and depends on the capabilities of the output.
    func work(on page: Int) -> ImageWork? {
        let work: ImageWork.Step? =
            switch step {
            case .operate(_, let framing, let format): .operate(framing, format)
            case .pack(_, let framing): .pack(framing)
            case .render(_, let operations, let parameters): parameters.map { .render(operations, $0) }
            case .join(let row): .join(row.size, row.format)
            case .compose(let composition, let operations, let parameters):
                parameters.map { parameters in
                    .compose(composition.parts.map { $0.representations.map(\.operations) }, operations, parameters)
                }
            case .copy, .copyDocument, .layTogether, .restore: nil
            }
        guard let work, let representation else { return nil }
        return ImageWork(page: page, representation: representation, step: work)
    }

    /// Returns all work that carrying out the plan for a page can require.
    func possibleWork(on page: Int) -> [ImageWork] {
        if case .layTogether(let spread) = step {
            return spread.parts.flatMap { part in part.plans.flatMap { $0.possibleWork(on: part.page.id) } }
        }
        return [work(on: page)].compactMap { $0 } + rivals.flatMap { $0.possibleWork(on: page) }
    }
}
