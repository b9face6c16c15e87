internal import AdapterKit
internal import Imaging
internal import PageModel

/// Steps for JPEGs that are packed in JPEG XL.
extension PagePlan {
    /// Returns the JPEG that a JPEG XL was made from, as the output shows it.
    ///
    /// Only the codestream determines the orientation of a JPEG XL. The metadata of its JPEG may state another orientation, and
    /// some outputs follow them.
    ///
    /// - Throws: `.unsupported` if a required rotation would be lossy.
    func restored(_ picture: EncodedPicture, in capabilities: SinkCapabilities) async throws -> PageResult {
        let file = try await picture.read()
        let jpeg = try JXLReconstruction.jpeg(of: file)
        guard let header = PictureHeader(jpeg), let size = header.size else {
            throw AdapterError(.damaged, "the JPEG in the JPEG XL does not state its size")
        }
        let framing = Framing(size, JXLReconstruction.orientation(of: file))
        if capabilities.shows(framing, own: header.orientation) {
            return PageResult(.encoded(EncodedPage(encoding: .jpeg, bytes: jpeg, framing: framing)))
        }
        guard let grid = header.grid, JPEGSurgery.lossless(framing, grid: grid) == framing else {
            throw AdapterError(.unsupported, "the JPEG in the JPEG XL cannot be rotated without loss")
        }
        let source = header.picture(byteCount: jpeg.count) { jpeg }
        var result = try PagePlan.operate(source, jpeg, framing, .jpeg)
        result.plan = self
        result.plan?.reason = reason.with(.operation, PixelOperations.note(turning: framing.orientation))
        return result
    }
}
