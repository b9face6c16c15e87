internal import AdapterKit
internal import Imaging
internal import PageModel

/// Carries out what has to do with JPEGs in JPEG XLs.
extension PagePlan {
    /// The JPEG that a JPEG XL was made of, as the output shows it.
    ///
    /// A JPEG XL is turned by its codestream, and nothing else: what its JPEG says of its orientation is followed by some
    /// outputs, and may even be something else.
    ///
    /// - Throws: `.unsupported` where the JPEG would have to be turned, and cannot be without loss.
    func restored(_ picture: EncodedPicture, in capabilities: SinkCapabilities) async throws -> PageResult {
        let file = try await picture.read()
        let jpeg = try JXLReconstruction.jpeg(of: file)
        guard let header = PictureHeader(jpeg), let size = header.size else {
            throw AdapterError(.damaged, "the JPEG in the JPEG XL does not tell its size")
        }
        let framing = Framing(size, JXLReconstruction.orientation(of: file))
        if capabilities.shows(framing, own: header.orientation) {
            return PageResult(.encoded(EncodedPage(encoding: .jpeg, bytes: jpeg, framing: framing)))
        }
        guard let grid = header.grid, JPEGSurgery.lossless(framing, grid: grid) == framing else {
            throw AdapterError(.unsupported, "the JPEG in the JPEG XL cannot be turned without loss")
        }
        let source = header.picture(byteCount: jpeg.count) { jpeg }
        var result = try PagePlan.operate(source, jpeg, framing, .jpeg)
        result.plan = self
        result.plan?.reason = reason.with(.operation, PixelOperations.note(turning: framing.orientation))
        return result
    }
}
