package import AdapterKit
internal import Imaging
package import PageModel

/// The result of carrying out a plan.
package struct PageResult: Sendable {
    package var content: FinishedPage.Content
    /// The defects of the page, one line each.
    package var defects: [Message]
    /// The number of images in the page's file; only the first is kept.
    package var pictureCount = 1
    /// A remark on data of the page's file that the changed image lacks.
    package var dropped: Message?
    /// The change by the shapes over the image; nil without such shapes.
    package var patchResult: PatchResult?
    /// A loss that only the image data revealed, as a sentence fragment.
    package var loss: Message?
    /// The observer's evidence of the pixels, if the output keeps them.
    package var evidence: (any Sendable)?
    /// The plan that was carried out, if parts of the page were treated differently than planned.
    package var plan: PagePlan?

    init(_ content: FinishedPage.Content, defects: [Message] = [], loss: Message? = nil) {
        self.content = content
        self.defects = defects
        self.loss = loss
    }

    /// Returns the result with the facts about the file that it was made from.
    func of(_ file: ImageFile) -> PageResult {
        var result = self
        // The source knows the cause, such as an error of the disk, and the image shows only its effect.
        result.defects = [file.defect].compactMap(\.self) + defects
        result.patchResult = file.patchResult
        return result
    }
}

extension PageResult {
    /// Returns a page in layers; nil for one without images, which one bit a pixel is enough for.
    private static func layered(_ raster: Raster, _ quality: Int) throws(PictureFault) -> LayeredPage? {
        guard let layers = try PrintLayers(raster), let image = layers.image else { return nil }
        let bytes = try PictureEncoder.encode(image, as: .jpeg, .quality(quality))
        return LayeredPage(
            print: layers.print, image: EncodedPage(encoding: .jpeg, bytes: bytes, size: image.size), at: layers.place)
    }

    /// Returns the pixels for the sink: encoded, or unchanged without parameters. The note is about few colors, in which a PNG
    /// was stored.
    static func storing(
        _ rendered: Renderer.Rendered, _ parameters: EncodingParameters?, _ renderer: Renderer
    ) throws(PictureFault) -> (PageResult, Note?) {
        let raster = rendered.image.raster
        guard let parameters else {
            var result = PageResult(
                .raster(RasterPage(raster, source: rendered.file?.bytes)), loss: rendered.image.loss)
            result.evidence = renderer.observer?.made(raster)
            return (result, nil)
        }
        if parameters.storesLayers, let layers = try layered(raster, parameters.layerQuality) {
            return (PageResult(.layered(layers), loss: rendered.image.loss), nil)
        }
        var format = parameters.format
        var bytes = try PictureEncoder.encode(raster, as: format, parameters.fidelity(rendered.file?.bytes))
        var fewColors: Note?
        if parameters.allowsPNG {
            let few = raster.withFewColors()
            let png = try PictureEncoder.encode(few?.raster ?? raster, as: .png, .lossless)
            if png.count <= bytes.count {
                (format, bytes) = (.png, png)
                fewColors = few.map { $0.change == 0 ? Note(.fewColors) : Note(.fewColors, "moved", $0.change) }
            }
        }
        let losses = [rendered.image.loss, PictureEncoder.loss(of: raster, in: format)].compactMap { $0 }
        let loss = losses.isEmpty ? nil : losses.joined(separator: ", ")
        var result = PageResult(
            .encoded(EncodedPage(encoding: format, bytes: bytes, size: raster.size)), loss: loss)
        if parameters.isLossless, loss == nil { result.evidence = renderer.observer?.made(raster) }
        return (result, fewColors)
    }
}
