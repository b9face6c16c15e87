public import AdapterKit
internal import Imaging
internal import OrderedWork
public import PageModel
internal import Planning

/// Reads pages as a conversion that copies them does, decodes every image, and reports damage.
///
/// Stored images are read to their end, with the checksums of the image and of its archive, and then decoded. Samples in a
/// compression of the container are decoded, and pages without an image of their own are rendered.
public struct PageCheck: Sendable {
    /// The result of checking one page.
    public struct Finding: Sendable {
        /// The damage that was found, as sentence fragments; empty if none was found.
        public var defects: [Message] = []
        /// The reason that the page could not be checked; nil if it was.
        public var unchecked: Message?
        /// Whether the page's format would show damage. Other formats only show whether the page decodes.
        public var noticesDamage = false
    }

    private let converter: PageConverter
    private let limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
        converter = PageConverter(
            planner: Planner(SinkCapabilities(formats: nil)), limits: limits, isDryRun: false,
            targets: LinkTargets([]), attachmentMemory: { _ in 0 })
    }

    /// Checks pages concurrently, as far as the memory allows, and returns a finding for each page. `onEvent` receives each
    /// page's beginning and end, and the number of finished pages.
    ///
    /// - Parameter width: the number of pages at once.
    /// - Throws: `CancellationError`.
    public func findings(
        of pages: [Page], width: Int, onEvent: @escaping @Sendable (ConversionEvent) -> Void
    ) async throws -> [Finding] {
        var findings: [Finding] = []
        try await forEachInOrder(pages, width: width, within: MemoryBudget(limits, width: width)) { page in
            let (planned, bytes) = try await converter.plan(page)
            return ((page, planned), bytes)
        } work: { page, planned in
            onEvent(.began(page: page.name))
            defer { onEvent(.ended(page: page.name)) }
            return finding(try await converter.convert(planned)[0])
        } body: { found in
            findings.append(found)
            onEvent(.finished(pages: findings.count))
        }
        return findings
    }

    private func finding(_ converted: ConvertedPage) -> Finding {
        if let failure = converted.failure {
            return failure.code == .tooLarge
                ? Finding(unchecked: failure.explanation) : Finding(defects: [failure.explanation])
        }
        var finding = Finding(
            defects: converted.warnings.filter(\.isOfDamage).map { $0.message })
        guard finding.defects.isEmpty, let source = converted.plan?.method.coded,
            case .encoded(let image)? = converted.result?.content
        else { return finding }
        do throws(AdapterError) {
            // A decoder that runs out of memory would report damage.
            let memory = MemoryEstimate.decoding(.encoded(source)).total
            try Renderer(limits: limits).check(memory: memory)
        } catch {
            return Finding(unchecked: error.explanation)
        }
        switch DecodingCheck(image.bytes, image.encoding, maxPixels: limits.pixels) {
        case .sound: finding.noticesDamage = true
        case .decodes: break
        case .damaged(let defect): finding.defects = [defect]
        case .unchecked(let reason): finding.unchecked = reason
        }
        return finding
    }
}
