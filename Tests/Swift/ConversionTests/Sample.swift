import PageModel

/// Pictures and pages made up in memory.
enum Sample {
    struct Unreadable: Error {}

    static let size = PixelSize(width: 4, height: 6)
    static let damage = AdapterError(.damaged, "its data ends too early")

    /// A black GIF that `PictureCheck` finds whole.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [4, 0, 6, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        + [0x2C, 0, 0, 0, 0, 4, 0, 6, 0, 0, 2, 4, 0x84, 0x8F, 0xA9, 0x57, 0, 0x3B]

    static func raster(_ value: UInt8 = 7) -> Raster {
        Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: value, count: size.area))
    }

    static func encoded(
        _ encoding: ImageEncoding = .gif, size: PixelSize? = size, pending: [Edit] = [], repair: Message? = nil,
        grid: PixelSize? = nil, joinKey: JoinKey? = nil,
        holdsJPEG: Bool = false,
        error: AdapterError? = nil
    ) -> Picture.Representation {
        .encoded(
            EncodedPicture(
                encoding: encoding, size: size, grid: grid, joinKey: joinKey, holdsJPEG: holdsJPEG,
                pending: pending, repair: repair
            ) {
                if let error { throw error }
                return gif
            })
    }

    static func sampled(
        pending: [Edit] = [], size: PixelSize = size, error: AdapterError? = nil
    ) -> Picture.Representation {
        .sampled(
            SampledPicture(compression: "CCITT G4", size: size, format: .gray(bits: 8), pending: pending) {
                if let error { throw error }
                return DecodedImage(raster: raster())
            })
    }

    static func drawn(_ diagnostics: [Message] = [], error: AdapterError? = nil) -> Picture.Representation {
        // 4 × 6 pixels.
        .drawn(
            DrawnPicture(width: 2, height: 3, resolution: 144) {
                if let error { throw error }
                return DecodedImage(raster: raster(), diagnostics: diagnostics)
            })
    }

    /// A rendering of a page whose images are encoded in one way.
    static func drawn(like likeness: DrawnPicture.Likeness, layers: Int? = nil) -> Picture.Representation {
        var drawn = DrawnPicture(width: 2, height: 3, resolution: 144) { DecodedImage(raster: raster()) }
        (drawn.likeness, drawn.layers) = (likeness, layers)
        return .drawn(drawn)
    }

    /// A JPEG that can be joined with others of its kind without loss.
    static let joinableJPEG = encoded(
        .jpeg, grid: PixelSize(width: 4, height: 2), joinKey: JoinKey(rawValue: "1"))

    /// Two pages with equal images, next to each other.
    static func joined(_ image: Picture.Representation) -> Picture.Representation {
        let parts = (0..<2).map { index in
            JoinedPicture.Part(
                page: page(index + 1, picture(image)), picture: picture(image),
                place: PixelRect(x: index * size.width, y: 0, size))
        }
        return .joined(JoinedPicture(size: PixelSize(width: 2 * size.width, height: size.height), parts: parts))
    }

    static let document = DocumentPage(format: "pdf", path: "/x.pdf", index: 0, width: 4, height: 6)

    static func picture(_ representations: Picture.Representation..., reason: Message? = nil, defects: [Message] = [])
        -> Picture
    {
        Picture(size: size, representations: representations, reason: reason, defects: defects)
    }

    static func page(_ id: Int = 1, edits: [PageEdit] = [], _ picture: Picture? = picture(encoded())) -> Page {
        Page(id: id, name: "page \(id)", edits: edits) {
            guard let picture else { throw damage }
            return picture
        }
    }

    static func pages(_ count: Int) -> PageSequence {
        PageSequence(book: BookMetadata(), pages: (0..<count).map { page($0 + 1) })
    }
}
