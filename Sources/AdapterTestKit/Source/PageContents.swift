internal import AdapterKit
internal import PageModel

/// All that a page gives, for comparison.
struct PageContents: Hashable {
    enum Representation: Hashable {
        case encoded(
            ImageEncoding, size: PixelSize?, pending: [Edit], isRepaired: Bool, bytes: Result<[UInt8], AdapterError>)
        case sampled(String, size: PixelSize, pending: [Edit], raster: Result<Raster, AdapterError>)
        /// Drawn only on demand: it takes long.
        case drawn(PixelSize, drawn: Result<PixelSize, AdapterError>?)
    }

    let size: PixelSize?
    let defects: [String]
    private(set) var representations: [Representation] = []
    /// What was complained of while samples were read or the page was drawn.
    private(set) var diagnostics: [String] = []

    /// Reads all that a page has. A way that fails with an `AdapterError` is part of the contents.
    ///
    /// - Parameter drawing: whether the page is drawn too.
    init(_ page: Page, drawing: Bool) async throws {
        let picture = try await page.examine()
        size = picture.size
        defects = picture.defects
        for representation in picture.representations {
            switch representation {
            case .encoded(let picture):
                let bytes = try await PageContents.result(picture.read)
                representations.append(
                    .encoded(
                        picture.encoding, size: picture.size, pending: picture.pending,
                        isRepaired: picture.repair != nil, bytes: bytes))
            case .sampled(let picture):
                let result = try await PageContents.result(picture.read)
                let raster = result.map(\.raster)
                representations.append(
                    .sampled(picture.compression, size: picture.size, pending: picture.pending, raster: raster))
                note(result)
            case .drawn(let picture):
                let result = drawing ? try await PageContents.result(picture.draw) : nil
                representations.append(.drawn(picture.size, drawn: result?.map(\.raster.size)))
                if let result { note(result) }
            case .joined:
                throw AdapterError(.unsupported, "a source gives single pages, and this one is joined", page: page.name)
            }
        }
    }

    private mutating func note(_ result: Result<DecodedImage, AdapterError>) {
        if case .success(let drawing) = result { diagnostics += drawing.diagnostics }
    }

    /// - Throws: everything but an `AdapterError`.
    private static func result<Value>(_ read: () async throws -> Value) async throws -> Result<Value, AdapterError> {
        do {
            return .success(try await read())
        } catch let error as AdapterError {
            return .failure(error)
        }
    }
}

extension PageContents.Representation {
    /// Why the picture cannot be had this way.
    var error: AdapterError? {
        switch self {
        case .encoded(_, _, _, _, .failure(let error)), .sampled(_, _, _, .failure(let error)),
            .drawn(_, .failure(let error)):
            error
        default: nil
        }
    }

    /// The size and what is still to be done to the picture.
    var sizeAndEdits: (size: PixelSize?, pending: [Edit]) {
        switch self {
        case .encoded(_, let size, let pending, _, _): (size, pending)
        case .sampled(_, let size, let pending, _): (size, pending)
        case .drawn(let size, _): (size, [])
        }
    }
}
