package import AdapterKit
internal import Audit
package import Conversion
package import PageModel

/// The result of verifying an output.
package struct BookVerification: Sendable {
    /// A page with damage, or a page that could not be checked.
    package struct Damage: Sendable {
        package let place: PageComparison.Place
        package let finding: PageCheck.Finding
    }

    package let pair: BookPairs.Pair
    /// Whether the output has the digest that it had when it was written; nil if that is unknown.
    package var hasKnownDigest: Bool?
    /// The results for the checked pages.
    package var findings: [PageCheck.Finding] = []
    package var damages: [Damage] = []
    /// The number of pages of the output.
    package var pageCount = 0
    /// The warnings about the output, except those about its pages.
    package var warnings: [Warning] = []
    package var comparison: BookComparison?
    /// The reason that the output or its input cannot be read.
    package var error: AdapterError?

    init(_ pair: BookPairs.Pair) {
        (self.pair, error) = (pair, pair.error)
    }

    /// The sign of the output.
    package var sign: ComparisonSign {
        if pair.missing != nil { return .missing }
        if error != nil || damages.contains(where: { !$0.finding.defects.isEmpty }) { return .unreadable }
        if let comparison, comparison.sign == .unreadable { return .unreadable }
        if pair.isAdded { return .added }
        return hasKnownDigest == false || comparison?.sign == .different ? .different : .equal
    }
}

/// A verification of outputs: their digests, their pages, and the inputs that they were made from.
package struct BookVerifier: Sendable {
    private let registry: Registry
    private let settings: [String: String]
    private let limits: Limits
    private let width: Int
    private let password: String?
    private let sample: PageSample?
    private let images: PageImages.Request?

    /// - Parameters:
    ///   - settings: the settings of sources.
    ///   - sample: the share of the pages of each book; nil for all.
    ///   - images: the images of differing pages to make; nil for none.
    package init(
        _ registry: Registry, settings: [String: String], limits: Limits, width: Int, password: String?,
        sample: PageSample?, images: PageImages.Request?
    ) {
        (self.registry, self.settings, self.limits, self.width) = (registry, settings, limits, width)
        (self.password, self.sample, self.images) = (password, sample, images)
    }

    /// Verifies one output.
    ///
    /// - Parameters:
    ///   - check: checks pages for damage.
    ///   - onImages: receives each differing page with its images.
    /// - Throws: `CancellationError`; the errors of the functions.
    package func verification(
        of pair: BookPairs.Pair, check: ([Page]) async throws -> [PageCheck.Finding],
        onImages: (PageComparison, PageImages) throws -> Void
    ) async throws -> BookVerification {
        var result = BookVerification(pair)
        if pair.missing != nil || pair.error != nil { return result }
        do {
            if let known = pair.known {
                result.hasKnownDigest = try FileDigest.digest(ofBookAt: pair.path) == known.sha256
            }
            let other = try await open([pair.path])
            let pages = other.book.sequence.pages
            (result.pageCount, result.warnings) = (pages.count, other.book.warnings)
            let places =
                sample?.places(of: pages.count, in: registry.stem(of: other.input)) ?? Array(pages.indices)
            result.findings = try await check(places.map { pages[$0] })
            result.damages = zip(places, result.findings).compactMap { place, finding in
                if finding.defects.isEmpty, finding.unchecked == nil { return nil }
                let page = PageComparison.Place(number: place + 1, name: pages[place].name, size: nil)
                return BookVerification.Damage(place: page, finding: finding)
            }
            guard !pair.inputs.isEmpty else { return result }
            result.comparison = try await BookComparer(registry, limits: limits, width: width).comparison(
                open(pair.inputs), other, sample: sample, images: images, onImages: onImages)
        } catch let error as AdapterError where error.code != .unwritable {
            try Task.checkCancellation()
            result.error = error
        }
        return result
    }

    /// Opens inputs as one book.
    ///
    /// - Throws: the errors of a source.
    package func open(_ paths: [String]) async throws -> ComparedBook {
        let inputs = paths.map { Input(path: $0, password: password) }
        return ComparedBook(
            inputs[0], try await Library(registry).open(inputs, source: nil, settings: settings, limits: limits))
    }
}
