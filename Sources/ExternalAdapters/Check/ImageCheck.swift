internal import AdapterKit
internal import PageModel

/// A check of the images that a transform returns, and of its limits.
struct ImageCheck {
    private typealias Sample = (kind: String, raster: Raster, purpose: ImageChanger.Purpose)

    private let check: PluginCheck
    /// Returns a book that the transform changed under these limits.
    private let changed: (Limits) async throws -> PageSequence

    init(_ check: PluginCheck, _ changed: @escaping (Limits) async throws -> PageSequence) {
        self.check = check
        self.changed = changed
    }

    func run() async {
        await check.attempt("when it is given the image of a page") {
            let changes = try await changes(Limits())
            check.expect(!changes.isEmpty, "it changes the image of no page, although its manifest has 'images'")
            var largest = 0
            for change in changes {
                for sample in ImageCheck.samples {
                    let first = try await result(change, sample)
                    let second = try await result(change, sample)
                    check.expect(
                        first == second, "it returns another image when it is given the same \(sample.kind) twice")
                    largest = max(largest, first?.samples.count ?? 0)
                }
            }
            // An image file may be much smaller than the samples.
            if largest > 1 << 10 { await refusesMoreThan(16) }
        }
    }

    private func refusesMoreThan(_ bytes: Int) async {
        await check.attempt("when its images have more bytes than are allowed") {
            var limits = Limits()
            limits.entryBytes = bytes
            do {
                for change in try await changes(limits) {
                    for sample in ImageCheck.samples { _ = try await result(change, sample) }
                }
                check.find("it returns images of more bytes than are allowed")
            } catch let error as AdapterError where error.code == .tooLarge {
                check.expect(!error.isOwn, "it does not refuse images of more bytes than are allowed by itself")
            } catch let error as AdapterError where error.code == .damaged {
                // The system refused to let it write more.
                check.find("it does not refuse images of more bytes than are allowed: \(error.description)")
            }
        }
    }

    private func changes(_ limits: Limits) async throws -> [ImageChange] {
        try await changed(limits).pages.flatMap { $0.edits.compactMap { $0.operation as? ImageChange } }
    }

    private func result(_ change: ImageChange, _ sample: Sample) async throws -> Raster? {
        try await change.changer.changed(sample.raster, of: change.page.id, sample.purpose)
    }

    /// Gray and color of 8 and 16 bits, one pixel, and a preview. No longer side is a multiple of a shorter one.
    private static let samples: [Sample] = [
        ("gray image", image(61, 43, .gray(bits: 8)), .image(dpi: nil)),
        ("color image", image(43, 61, .rgb(bits: 8)), .image(dpi: 299.5)),
        ("gray image of 16 bits", image(17, 29, .gray(bits: 16)), .image(dpi: nil)),
        ("color image of 16 bits", image(29, 17, .rgb(bits: 16)), .image(dpi: nil)),
        ("image of one pixel", image(1, 1, .gray(bits: 8)), .image(dpi: nil)),
        ("preview", image(53, 47, .gray(bits: 8)), .preview),
    ]

    private static func image(_ width: Int, _ height: Int, _ format: PixelFormat) -> Raster {
        let count = Raster.bytesPerRow(width: width, format: format) * height
        // Mostly light, as paper is, with dark dots.
        let samples = (0..<count).map { place -> UInt8 in
            let light = UInt8(200 + place % 50)
            return place.isMultiple(of: 11) ? 20 : light
        }
        return Raster(size: PixelSize(width: width, height: height), format: format, samples: samples)
    }
}
