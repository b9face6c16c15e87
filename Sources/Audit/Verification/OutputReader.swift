internal import AdapterKit
internal import Conversion
internal import Imaging
internal import OrderedWork
internal import PageModel
internal import Planning

/// A reader of a finished output that compares its pages with the expected pages.
struct OutputReader: Sendable {
    /// The result of reading a page.
    struct Finding: Sendable {
        /// The name of the page in the output.
        var name: String
        /// The digest of its image's bytes in the output; nil if it is not stored as an image.
        var digest: String?
        var likeness: Verification.Likeness?
        /// The difference from the expected page, in words that follow its name; nil if it does not differ.
        var difference: Message?
        /// Whether a difference is probably caused by the input, and not by the disk. Either its bytes are those that were
        /// written, or its source is known to be damaged and shows other pixels.
        var isOfInput = false
    }

    let digestRequest: DigestRequest
    let limits: Limits
    let width: Int

    private var renderer: Renderer { Renderer(limits: limits) }

    /// - Parameter expectations: one for each page; nil for pages of an output that a sink composed.
    /// - Throws: `CancellationError`.
    func findings(_ pages: [Page], _ expectations: [PageExpectation?]) async throws -> [Finding] {
        var findings: [Finding] = []
        try await forEachInOrder(
            zip(pages, expectations), width: width, within: MemoryBudget(limits, width: width)
        ) {
            page, expectation in
            // An error of the examination is reported when the page is read.
            let picture = try? await page.examine()
            let decoding = picture?.representations.first.map { MemoryEstimate.decoding($0).total } ?? 0
            // The source's pixels are decoded as well for a comparison.
            return ((page, expectation), MemoryEstimate.sum(decoding, decoding))
        } work: { page, expectation in
            try await finding(of: page, expectation)
        } body: {
            findings.append($0)
        }
        return findings
    }

    private func finding(of page: Page, _ expectation: PageExpectation?) async throws -> Finding {
        var finding = Finding(name: page.name)
        finding.isOfInput = expectation?.isDamaged ?? false
        do {
            let picture = try await page.examine()
            guard let representation = picture.representations.first else { return finding }
            if digestRequest.areCompared, let page = expectation?.copiedPage {
                let copy = PageCopy(of: try await page.examine(), picture, renderer)
                if let result = try await copy.compared() {
                    (finding.digest, finding.likeness, finding.difference) = (
                        result.digest, result.likeness, result.difference
                    )
                    if result.isOfBytes { finding.isOfInput = false }
                    return finding
                }
            }
            switch representation {
            case .encoded(let encoded):
                let bytes = try await encoded.read().bytes
                finding.digest = SHA256.hexDigest(of: bytes)
                guard digestRequest.areCompared else { return finding }
                if let given = expectation?.given, given != finding.digest { finding.isOfInput = false }
                try await judge(encoded, bytes, expectation, &finding)
            case .sampled(let sampled):
                if digestRequest.areReported, let stored = sampled.readStored {
                    finding.digest = SHA256.hexDigest(of: try await stored())
                }
                guard digestRequest.areCompared else { return finding }
                try renderer.check(sampled.size)
                try await judge(try await sampled.read(), expectation, &finding)
            case .drawn(let drawn):
                guard digestRequest.areCompared else { return finding }
                try renderer.check(drawn.size, isDrawn: true)
                _ = try await drawn.draw()
                finding.likeness = .decodes
            case .joined: return finding
            }
            if finding.difference == nil { finding.difference = differenceOfSize(picture, expectation) }
        } catch {
            // Failures in an interrupted run are not caused by the page.
            try Task.checkCancellation()
            let failure = AdapterError(rendering: error)
            if failure.code == .tooLarge, finding.digest == expectation?.given {
                finding.likeness = .asWritten
            } else {
                finding.difference = "cannot be read back: \(failure.explanation)"
                finding.isOfInput = false
            }
        }
        if let given = expectation?.given, given == finding.digest { finding.isOfInput = true }
        return finding
    }

    /// Compares an image file.
    private func judge(
        _ encoded: EncodedPicture, _ bytes: [UInt8], _ expectation: PageExpectation?,
        _ finding: inout Finding
    ) async throws {
        if let expectation, expectation.given == finding.digest {
            if expectation.copied != nil {
                finding.likeness = .identical
                return
            }
            if expectation.isDamaged {
                finding.likeness = .asWritten
                return
            }
        } else if let copied = expectation?.copied,
            encoded.repair != nil || encoded.encoding != copied.encoding
        {
            // The output contains the source's bytes in another form.
            return try await judge(decoded(bytes, encoded.encoding), expectation, &finding)
        } else if expectation?.given != nil, encoded.repair == nil {
            finding.difference =
                expectation?.copied == nil
                ? "its bytes are not those that were written"
                : "its bytes are not those of the source's image"
            return
        }
        if let packed = expectation?.packed {
            let isSame = try await JXLReconstruction.jpeg(of: bytes) == packed.read().bytes
            if isSame { finding.likeness = .identical } else { finding.difference = "does not hold the source's JPEG" }
            return
        }
        if expectation?.planned != nil {
            return try await judge(decoded(bytes, encoded.encoding), expectation, &finding)
        }
        switch DecodingCheck(bytes, encoded.encoding, maxPixels: limits.pixels) {
        case .sound, .decodes: finding.likeness = .decodes
        case .damaged(let defect): finding.difference = "does not decode: \(defect)"
        case .unchecked(let reason):
            if expectation?.given == finding.digest {
                finding.likeness = .asWritten
            } else {
                finding.difference = "cannot be read back: \(reason)"
            }
        }
    }

    /// Compares pixels.
    private func judge(
        _ image: DecodedImage, _ expectation: PageExpectation?, _ finding: inout Finding
    ) async throws {
        var planned = expectation?.planned
        if let copied = expectation?.copied {
            let source = try? await decoded(try await copied.read().bytes, copied.encoding)
            planned = source.map { PixelDigest($0.raster, isUniform: true) }
        }
        if let defect = image.diagnostics.first, expectation?.isDamaged != true {
            finding.difference = "does not decode: \(defect)"
            return
        }
        let own = PixelDigest(image.raster, isUniform: true)
        // Samples of another bit depth have other values for the same shades.
        guard let planned, planned.samples == own.samples else {
            finding.likeness = .decodes
            return
        }
        if planned == own {
            finding.likeness = .samePixels
        } else {
            finding.difference = "its pixels differ from the expected ones"
        }
    }

    private func decoded(_ bytes: [UInt8], _ encoding: ImageEncoding) async throws -> DecodedImage {
        try PictureDecoder.decode(bytes, DecodeRequest(encoding, maximumPixels: limits.pixels))
    }

    /// The maximum difference of aspect ratios, as a share. Rounding changes the ratio of rendered pages and of pages with sizes
    /// in points.
    private static let maximumAspectDifference = 0.02

    private func differenceOfSize(_ picture: Picture, _ expectation: PageExpectation?) -> Message? {
        guard let meant = expectation?.size, let size = picture.size, meant.width > 0, meant.height > 0
        else { return nil }
        let isDrawn = picture.representations.first?.isDrawn ?? true
        if expectation?.isPixelSize == true, !isDrawn {
            return size == meant ? nil : "has \(size) pixels instead of the \(meant) that were written"
        }
        let shapes = [size, meant].map { Double($0.width) / Double(max(1, $0.height)) }
        return abs(shapes[0] / shapes[1] - 1) <= OutputReader.maximumAspectDifference
            ? nil : "its aspect ratio differs from that of the written page"
    }
}
