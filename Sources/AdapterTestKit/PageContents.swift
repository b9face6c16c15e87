internal import AdapterKit
internal import PageModel

/// The contents of a page, for comparison between reads.
struct PageContents: Hashable {
    enum Kind: Hashable { case encoded, sampled, drawn }

    enum Image: Hashable {
        case bytes([UInt8])
        case samples(Raster)
        /// The size of a rendering, whose pixels are not compared.
        case rendering(PixelSize)
    }

    struct Representation: Hashable {
        let kind: Kind
        /// The encoding or the compression.
        let name: String
        let size: PixelSize?
        /// The edits that are not yet applied to the image.
        var pending: [Edit] = []
        /// Whether its bytes are not those of the source.
        var isRepaired = false
        /// The image, or the reason why it cannot be read; nil for a page that was not rendered.
        var image: Result<Image, AdapterError>?

        var error: AdapterError? { if case .failure(let error) = image { error } else { nil } }

        /// The bytes of samples or of a rendering, at least one for each pixel; nil for other images, and without one.
        var sampleBytes: Int? {
            switch image {
            case .success(.samples(let raster)): raster.samples.count
            case .success(.rendering(let size)): size.area
            default: nil
            }
        }
    }

    let size: PixelSize?
    private(set) var representations: [Representation] = []
    /// The problems that the source reported.
    private(set) var diagnostics: [Message] = []

    /// Reads every representation of a page. An `AdapterError` of one is part of the contents.
    ///
    /// - Parameter drawing: whether the page is also rendered, the slowest step.
    init(_ page: Page, drawing: Bool) async throws {
        let picture = try await page.examine()
        size = picture.size
        for representation in picture.representations {
            switch representation {
            case .encoded(let picture):
                let isRepaired = picture.repair != nil || picture.overlay != nil
                try await add(.encoded, picture.encoding.name, picture.size, picture.pending, isRepaired) {
                    let file = try await picture.read()
                    return (.bytes(file.bytes), [file.defect].compactMap(\.self))
                }
            case .sampled(let picture):
                try await add(.sampled, picture.compression, picture.size, picture.pending) {
                    let image = try await picture.read()
                    return (.samples(image.raster), image.diagnostics)
                }
            case .drawn(let picture):
                try await add(.drawn, "", picture.size) {
                    guard drawing else { return nil }
                    let image = try await picture.draw()
                    return (.rendering(image.raster.size), image.diagnostics)
                }
            case .joined:
                throw AdapterError(.unsupported, "a source gives single pages, and this one is joined", page: page.name)
            }
        }
        diagnostics += picture.knownDefects
    }

    /// - Throws: every error of `read` except an `AdapterError`.
    private mutating func add(
        _ kind: Kind, _ name: String, _ size: PixelSize?, _ pending: [Edit] = [], _ isRepaired: Bool = false,
        _ read: () async throws -> (Image, [Message])?
    ) async throws {
        var added = Representation(kind: kind, name: name, size: size, pending: pending, isRepaired: isRepaired)
        do {
            if let (image, notes) = try await read() {
                added.image = .success(image)
                diagnostics += notes
            }
        } catch let error as AdapterError {
            added.image = .failure(error)
        }
        representations.append(added)
    }

    /// Whether any problem of the page was reported.
    var hasDiagnostic: Bool { !diagnostics.isEmpty || representations.contains { $0.error != nil } }

    /// All representations without the renderings themselves.
    var unrendered: [Representation] {
        representations.map { $0.kind == .drawn ? Representation(kind: .drawn, name: "", size: $0.size) : $0 }
    }

    /// All representations except renderings, whose size may depend on the limits.
    var exactRepresentations: [Representation] { representations.filter { $0.kind != .drawn } }
}
