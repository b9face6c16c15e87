internal import Imaging
internal import PageModel

/// A renderer for the pages of an open file: poppler, or its replacement in a test.
protocol PageRenderer {
    /// Renders the contents of a page's crop box on white. Pages are counted from 0.
    ///
    /// - Parameters:
    ///   - file: another file with the page; nil for the open one.
    ///   - resolution: the pixels per inch, for the file.
    ///   - grid: the pixel positions. Nil to scale the page to the size.
    func draw(
        page index: Int, of file: [UInt8]?, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) throws(AdapterError) -> DecodedImage
    /// Returns the samples of a page's only image, if it is bilevel and has the size `size`; otherwise nil.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage?
    /// Returns the page's effect on the pixels of an image below everything that it paints.
    func overlay(_ request: OverlayRequest) throws(AdapterError) -> OverlayPixels
    /// Returns the text in a page's crop box, in reading order.
    ///
    /// - Parameter file: another file with the page; nil for the open one.
    func text(onPage index: Int, of file: [UInt8]?) throws(AdapterError) -> [TextLine]
}
