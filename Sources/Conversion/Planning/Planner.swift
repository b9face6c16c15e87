public import AdapterKit
internal import Imaging
public import PageModel

/// Chooses for each page the least lossy way to what was asked for.
public struct Planner: Sendable {
    let displays: Set<ImageEncoding>?
    let wish: EncodingRequest

    /// - Parameter displays: the formats that readers of the output show; nil when any will do.
    public init(displays: Set<ImageEncoding>?, wish: EncodingRequest = EncodingRequest()) {
        self.displays = displays
        self.wish = wish
    }

    /// The plans that lead to the page, the best first. The others are for when its data turns out to be damaged, or
    /// the best would make the page larger.
    ///
    /// - Throws: `.unsupported` when no way leads there, `.usage` when nothing of the page would be left.
    public func plans(for page: Page, _ picture: Picture) throws(AdapterError) -> [PagePlan] {
        var plans: [PagePlan] = []
        var obstacle: String?
        for representation in picture.representations {
            switch representation {
            case .encoded(let encoded):
                plans += try self.plans(for: encoded, of: page, picture, &obstacle)
            case .sampled(let sampled):
                plans.append(try store(sampled, of: page, after: obstacle))
            case .drawn(let drawn):
                plans.append(try draw(drawn, of: page, because: obstacle ?? picture.reason))
            case .joined(let joined):
                plans += try self.plans(for: joined, of: page)
            }
        }
        guard !plans.isEmpty else {
            throw AdapterError(.unsupported, obstacle ?? "the page has no picture", page: page.name)
        }
        return plans
    }

    /// The ways to a page whose picture is a file of its own.
    ///
    /// - Parameter obstacle: becomes why the best of all ways is not open.
    private func plans(
        for encoded: EncodedPicture, of page: Page, _ picture: Picture, _ obstacle: inout String?
    ) throws(AdapterError) -> [PagePlan] {
        let (name, edits) = (encoded.encoding.name, encoded.pending + page.edits)
        guard let size = encoded.size else {
            if edits.isEmpty && wish.keeps(encoded.encoding) { return [copy(encoded)] }
            obstacle = "the \(name) does not tell its size before it is decoded"
            return []
        }
        let operations = try Planner.operations(size, encoded.orientation, edits, page, isGray: encoded.isGray)
        let isKept = operations.isIdle && wish.keeps(encoded.encoding)
        if isKept && isDisplayed(encoded.encoding) { return [copy(encoded)] }
        var plans = isKept ? [] : surgery(encoded, operations)
        if picture.hasOtherExactWay && plans.isEmpty {
            obstacle = isKept ? "few readers show \(name)" : "the \(name) would have to be decoded"
            return []
        }
        if encoded.holdsJPEG && operations.isIdle && wish.quality == nil
            && (wish.format == .jpeg || isKept && isDisplayed(.jpeg))
        {
            return [restore(encoded, size), copy(encoded)]
        }
        if isKept {
            guard canBeStored(encoded) else { return [copy(encoded)] }
            obstacle = "few readers show \(name)"
        }
        var parameters = EncodingParameters(
            wish, own: encoded.encoding, isLossy: !encoded.isLossless, displays: displays)
        if !plans.isEmpty {
            obstacle = "its data is damaged"
        } else if encoded.encoding == .jpeg && operations.keepsPixels && !operations.isIdle && wish.keeps(.jpeg) {
            obstacle = "the JPEG cannot be \(operations.deed) without loss"
        }
        parameters.mustKeepAll = isKept
        parameters.mustShrink = operations.isIdle && parameters.isForSize && isDisplayed(encoded.encoding)
        plans.append(remake(encoded, operations, parameters, because: obstacle))
        if isKept { plans.append(copy(encoded, because: "it holds several pictures")) }
        if parameters.mustShrink {
            plans.append(copy(encoded, because: "as \(parameters.format.name) it would be no better"))
        }
        return plans
    }

    /// Whether PNG can keep what the format kept: to store what a lossy encoder left of a page only makes it larger.
    private func canBeStored(_ encoded: EncodedPicture) -> Bool {
        encoded.isLossless || [.jpeg2000, .jpeg2000Codestream].contains(encoded.encoding)
    }

    private func isDisplayed(_ encoding: ImageEncoding) -> Bool {
        displays?.contains(encoding) ?? true
    }

    private func copy(_ encoded: EncodedPicture, because reason: String? = nil) -> PagePlan {
        let shown = isDisplayed(encoded.encoding) ? "" : "; not every reader shows \(encoded.encoding.name)"
        let why = reason.map { ": \($0)" } ?? ""
        return PagePlan(
            treatment: encoded.repair == nil ? .verbatim : .lossless,
            reason: (encoded.repair ?? "the source's own \(encoded.encoding.name)") + shown + why,
            encoding: encoded.encoding, size: encoded.uprightSize, step: .copy(encoded))
    }

    private func restore(_ encoded: EncodedPicture, _ size: PixelSize) -> PagePlan {
        PagePlan(
            treatment: .lossless, reason: "the JPEG that the JPEG XL was made of", encoding: .jpeg, size: size,
            step: .restore(encoded))
    }

    /// The way that keeps a JPEG's coefficients.
    private func surgery(_ encoded: EncodedPicture, _ operations: PixelOperations) -> [PagePlan] {
        let target = wish.format ?? .jpeg
        guard encoded.encoding == .jpeg, let grid = encoded.grid, operations.keepsPixels, wish.quality == nil,
            target == .jpeg || target == .jpegXL, let wider = JPEGSurgery.lossless(operations.framing, grid: grid)
        else { return [] }
        let deed = operations.isIdle ? "" : ", \(operations.deed)\(Planner.surplus(operations.framing, wider))"
        if wider == Framing(wider.source), target == .jpeg {
            return [copy(encoded, because: operations.isIdle ? nil : "so little cannot be cut off without loss")]
        }
        let kept = target == .jpegXL ? ", kept in a JPEG XL" : ""
        return [
            PagePlan(
                treatment: .lossless, reason: "the JPEG's own coefficients\(deed)\(kept)", encoding: target,
                size: wider.rect.size, crop: wider.isWhole ? nil : wider.rect,
                step: .operate(encoded, wider, target))
        ]
    }

    private func remake(
        _ encoded: EncodedPicture, _ operations: PixelOperations, _ parameters: EncodingParameters,
        because reason: String?
    ) -> PagePlan {
        let deeds = operations.isIdle ? "" : "\(operations.deed), "
        return PagePlan(
            treatment: parameters.isLossless && operations.keepsPixels ? .lossless : .encoded,
            reason: "the \(encoded.encoding.name)'s pixels, \(deeds)\(parameters.deed(from: encoded.encoding))"
                + (reason.map { ": \($0)" } ?? ""),
            encoding: parameters.format, size: operations.size, crop: operations.crop,
            step: .remake(encoded, operations, parameters))
    }

    private func store(
        _ sampled: SampledPicture, of page: Page, after obstacle: String?
    ) throws(AdapterError) -> PagePlan {
        let operations = try Planner.operations(
            sampled.size, .upright, sampled.pending + page.edits, page, isGray: sampled.format?.isGray ?? false)
        let parameters = EncodingParameters(wish, own: nil, isLossy: false, displays: displays)
        let changes = operations.isIdle ? "" : ", \(operations.deed)"
        let why = obstacle.map { "; \($0)" } ?? ""
        return PagePlan(
            treatment: parameters.isLossless && operations.keepsPixels ? .lossless : .encoded,
            reason: "\(sampled.compression) samples \(parameters.deed(from: nil))\(changes)\(why)",
            encoding: parameters.format, size: operations.size, crop: operations.crop,
            step: .store(sampled, operations, parameters))
    }

    private func draw(
        _ drawn: DrawnPicture, of page: Page, because reason: String?
    ) throws(AdapterError) -> PagePlan {
        let resolution = Int(drawn.resolution.rounded())
        let operations = try Planner.operations(drawn.size, .upright, page.edits, page)
        let parameters = EncodingParameters(wish, own: nil, isLossy: false, displays: displays)
        let encoded = parameters.isLossless ? "" : " and \(parameters.deed(from: nil))"
        return PagePlan(
            treatment: .drawn,
            reason: "at \(resolution) pixels per inch\(encoded)" + (reason.map { ": \($0)" } ?? ""),
            encoding: parameters.format, size: operations.size, crop: operations.crop,
            step: .draw(drawn, operations, parameters))
    }

    static func operations(
        _ size: PixelSize, _ orientation: Orientation, _ edits: [Edit], _ page: Page, isGray: Bool = false
    ) throws(AdapterError) -> PixelOperations {
        guard let operations = PixelOperations(size, orientation, edits, isGray: isGray) else {
            throw AdapterError(
                .usage, "cutting that much off would leave nothing of its \(size) pixels", page: page.name)
        }
        return operations
    }

    /// How much more is kept than was asked for.
    private static func surplus(_ wanted: Framing, _ kept: Framing) -> String {
        let sides = [(wanted.rect.x - kept.rect.x, "left"), (wanted.rect.y - kept.rect.y, "top")]
        let more = sides.filter { $0.0 > 0 }.map { "\($0.0) px more on the \($0.1)" }
        return more.isEmpty ? "" : ", with \(more.joined(separator: " and "))"
    }
}

extension Picture {
    /// Whether the exact pixels can be had other than as the source's own bytes.
    fileprivate var hasOtherExactWay: Bool {
        representations.contains { if case .sampled = $0 { true } else { false } }
    }
}

extension PixelFormat {
    fileprivate var isGray: Bool {
        if case .gray = self { true } else { false }
    }
}
