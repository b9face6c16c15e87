internal import PageModel

/// The contents of a page, for comparison between reads.
struct PageContents: Hashable {
    enum Image: Hashable {
        case bytes([UInt8])
        case samples(Raster)
        /// The size of a rendering, whose pixels are not compared.
        case rendering(PixelSize)
    }

    struct Representation: Hashable {
        /// The encoding or the compression; nil for a rendering.
        let name: String?
        let size: PixelSize?
        /// The edits that are not yet applied to the image.
        var pending: [Edit] = []
        /// Whether its bytes are not those of the source.
        var isRepaired = false
        /// The image, or the reason why it cannot be read; nil for a page that was not rendered.
        var image: Result<Image, AdapterError>?

        var error: AdapterError? { if case .failure(let error) = image { error } else { nil } }

        /// The pixels of samples or of a rendering; nil for other images, and without one.
        var pixels: PixelSize? {
            switch image {
            case .success(.samples(let raster)): raster.size
            case .success(.rendering(let size)): size
            default: nil
            }
        }

        /// Fewer bytes than the pixels take, each of one bit or more; nil without any.
        var tooFewBytes: Int? {
            if case .success(.samples(let raster)) = image { return max(1, raster.samples.count / 4) }
            return pixels.map { max(1, $0.area / 16) }
        }
    }

    let size: PixelSize?
    private(set) var representations: [Representation] = []
    /// The problems that the source reported.
    private(set) var diagnostics: [Message]

    /// Reads every representation of a page. An `AdapterError` of one is part of the contents.
    init(_ page: Page, drawing: Bool) async throws {
        let picture = try await page.examine()
        (size, diagnostics) = (picture.size, picture.knownDefects)
        for representation in picture.representations {
            switch representation {
            case .encoded(let picture):
                let isRepaired = picture.repair != nil || picture.overlay != nil
                let name = picture.encoding.name
                try await add(.init(name: name, size: picture.size, pending: picture.pending, isRepaired: isRepaired)) {
                    let file = try await picture.read()
                    return (.bytes(file.bytes), [file.defect].compactMap(\.self))
                }
            case .sampled(let picture):
                try await add(.init(name: picture.compression, size: picture.size, pending: picture.pending)) {
                    let image = try await picture.read()
                    return (.samples(image.raster), image.diagnostics)
                }
            case .drawn(let picture):
                try await add(.init(name: nil, size: picture.size)) {
                    guard drawing else { return nil }
                    let image = try await picture.draw()
                    return (.rendering(image.raster.size), image.diagnostics)
                }
            case .joined:
                throw AdapterError(.unsupported, "a source gives single pages, and this one is joined", page: page.name)
            }
        }
    }

    private mutating func add(
        _ representation: Representation, _ read: () async throws -> (Image, [Message])?
    ) async throws {
        var added = representation
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

    var unrendered: [Representation] {
        representations.map { $0.name == nil ? Representation(name: nil, size: $0.size) : $0 }
    }

    /// All representations except renderings, whose size may depend on the limits.
    var exactRepresentations: [Representation] { representations.filter { $0.name != nil } }
}
