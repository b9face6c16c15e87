internal import AdapterKit
internal import Imaging
internal import PageModel

extension PagePlan {
    /// JPEGs that are to stand beside each other in one.
    struct Row: Sendable {
        var pictures: [EncodedPicture]
        /// Of `pictures`, in their order.
        var pieces: [JPEGRow.Piece]
        var size: PixelSize
        var background: RGB
        /// JPEG, or JPEG XL that holds one.
        var format: ImageEncoding

        func carryOut() async throws -> FinishedPicture {
            var files: [[UInt8]] = []
            for picture in pictures { files.append(try await picture.read()) }
            return try PagePlan.faulting { () throws(PictureFault) in
                guard let header = JPEGHeader(files[0]) else { throw PictureFault("the JPEG is damaged") }
                let background = background.levels(in: header)
                let covered = pieces.reduce(0) { $0 + $1.place.size.area }
                guard background != nil || covered == size.area else {
                    throw PictureFault("the JPEG has no color for what is free")
                }
                let result = try JPEGSurgery.compose(
                    zip(files, pieces).map { file, piece in
                        JPEGSurgery.Piece(
                            file: file, framing: piece.framing, x: piece.place.x, y: piece.place.y,
                            size: piece.place.size)
                    }, size: size, background: background)
                let file = JPEGMetadata.marking(pages: pieces.map(\.page), mergedInto: size, in: result.file)
                return FinishedPicture(
                    encoding: format, size: size, bytes: format == .jpegXL ? try JXLEncoder.transcode(file) : file,
                    defects: result.diagnostic.map { ["a JPEG is damaged (\($0))"] } ?? [])
            }
        }
    }
}
