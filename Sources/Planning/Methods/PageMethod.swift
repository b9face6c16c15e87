package import AdapterKit
package import PageModel

/// A method by which a page gets from its source to the output. Each method is one type in a file of its own.
///
/// The planner's rules choose the method. All other code asks it for the properties below. A new method is thus a new file
/// and a line in the rules.
package protocol PageMethod: Sendable {
    /// The bytes of memory that carrying the method out takes, including the result.
    var memory: Int { get }
    /// The data of the source that the output contains unchanged.
    var kept: KeptData { get }
    /// The image whose coded data is used without decoding it to pixels; nil without one, or with several.
    var coded: EncodedPicture? { get }
    /// The images whose pixels the result needs.
    var pixelSources: [PixelSource] { get }
    /// The size of the stored image, and the map from its points to those of the finished page. It is nil if the page shows
    /// all of the image, or several images.
    var storedImage: (size: PixelSize, map: PageMap)? { get }
    /// The operations on the pixels of `pixelSources` after these were placed next to each other.
    var operations: PixelOperations? { get }
    /// The parameters for encoding the pixels; nil if no pixels are encoded.
    var parameters: EncodingParameters? { get }
    /// The pages that the output places next to each other, each with the plan for it.
    var parts: [(page: Page, plan: PagePlan)] { get }
    /// Whether several pages become one image.
    var joinsPages: Bool { get }
    /// The operations without which the page can be planned.
    var omittable: [any OmittableOperation] { get }

    /// - Throws: `.tooLarge` if the image exceeds the limit of pixels.
    func check(_ renderer: Renderer) throws(AdapterError)

    /// Makes the page's content.
    ///
    /// - Parameters:
    ///   - plan: the plan for the page, which has this method.
    ///   - part: carries out the first feasible of several plans for a part of the page.
    /// - Throws: `PictureFault`, `AdapterError`. The next plan may do better if the code is `.damaged` or `.unsupported`.
    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult

    /// Returns the pages whose text the finished page contains, in reading order.
    func shown(of page: Page, _ picture: Picture) -> [ShownPage]
}

/// The data of a source that an output contains unchanged, so that reading it back can compare both.
package enum KeptData: Sendable {
    /// New data is made.
    case none
    /// The bytes of an image file.
    case file(EncodedPicture)
    /// A JPEG that is packed in a JPEG XL.
    case packedJPEG(EncodedPicture)
    /// A page of a document.
    case page(DocumentPage, Framing)
}

/// An image whose pixels a method needs.
package struct PixelSource: Sendable {
    /// The name of the page; nil for the whole page.
    var name: String?
    /// The representations of the image, the best first, with the operations on each.
    var representations: [(representation: Picture.Representation, operations: PixelOperations)]

    /// The best representation.
    package var best: (representation: Picture.Representation, operations: PixelOperations)? { representations.first }
}

extension PageMethod {
    var kept: KeptData { .none }
    var coded: EncodedPicture? { nil }
    package var pixelSources: [PixelSource] { [] }
    package var storedImage: (size: PixelSize, map: PageMap)? { nil }
    package var operations: PixelOperations? { nil }
    package var parameters: EncodingParameters? { nil }
    package var parts: [(page: Page, plan: PagePlan)] { [] }
    package var joinsPages: Bool { false }

    func check(_ renderer: Renderer) throws(AdapterError) {}

    /// The pages of a document that the output copies, each with the part that is shown.
    var copiedPages: [(page: DocumentPage, framing: Framing)] {
        if case .page(let page, let framing) = kept { return [(page, framing)] }
        return parts.flatMap(\.plan.method.copiedPages)
    }

    /// The file that is copied; nil for other content.
    package var copiedFile: EncodedPicture? { if case .file(let picture) = kept { picture } else { nil } }

    /// The overlay that is merged into the image of a single page.
    package var overlay: PictureOverlay? {
        coded?.overlay ?? (joinsPages ? nil : pixelSources.first?.best?.representation.overlay)
    }

    /// Whether the image of a single page is rendered.
    package var isRendering: Bool { !joinsPages && pixelSources.first?.best?.representation.isDrawn == true }

    /// The content that the renderings of the page will lack, one line each.
    var drawingDefects: [Message] {
        let own = pixelSources.compactMap { source -> Message? in
            guard case .drawn(let picture)? = source.best?.representation, let defect = picture.defect else {
                return nil
            }
            return source.name.map { "\(page: $0): \(defect)" } ?? defect
        }
        let ofParts = parts.flatMap { part in
            part.plan.method.drawingDefects.map { "\(page: part.page.name): \($0)" as Message }
        }
        return own + ofParts
    }

    /// The operations without which the page can be planned.
    package var omittable: [any OmittableOperation] {
        pixelSources.flatMap { $0.representations.flatMap(\.operations.omittable) } + (operations?.omittable ?? [])
    }
}
