internal import PageModel

/// AVIF and HEIF: pictures in ISO media boxes (ISO 23008-12; <https://aomediacodec.github.io/av1-avif/>).
enum HEIFFormat: PictureFormat {
    private static let avif: Set<FourCC> = ["avif", "avis"]
    private static let hevc: Set<FourCC> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    /// Brands that promise the boxes, whatever the codec in them.
    private static let structural: Set<FourCC> = ["mif1", "mif2", "msf1"]

    /// Videos have the same boxes: only the brands tell. The major brand decides, then the compatible ones in order.
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        guard let box = Box(bytes, at: 0), box.type == "ftyp", let contents = box.contents else { return nil }
        // The second of these words is the minor version.
        let brands = stride(from: 0, to: contents.count, by: 4).filter { $0 != 4 }.compactMap(contents.fourCC)
        for brand in brands {
            if avif.contains(brand) { return .avif }
            if hevc.contains(brand) { return .heif }
        }
        return brands.contains(where: structural.contains) ? .heif : nil
    }

    /// The spatial extent (`ispe`) of the primary item, turned as `irot` says; that of a grid is the whole picture's.
    static func size(in bytes: ByteReader) -> PixelSize? {
        guard let meta = Box.first("meta", in: bytes), let primary = primaryItem(meta),
            let properties = Box.first("iprp", in: meta, from: 4),
            let list = Box.first("ipco", in: properties)
        else { return nil }
        let boxes = Array(Box.all(in: list))
        for association in Box.all(in: properties) where association.type == "ipma" {
            guard let contents = association.contents else { continue }
            var size: PixelSize?
            var quarters = 0
            for index in indices(of: primary, in: contents) where boxes.indices.contains(index - 1) {
                guard let property = boxes[index - 1].contents else { continue }
                switch boxes[index - 1].type {
                case "ispe": size = size ?? PixelSize(stated: property.uint32(at: 4), property.uint32(at: 8))
                // Two bits: anticlockwise quarter turns (ISO 23008-12 §6.5.10).
                case "irot": quarters = (property.uint8(at: 0) ?? 0) & 3
                default: break
                }
            }
            if let size { return size.turned(quarters: quarters) }
        }
        return nil
    }

    /// ISO 14496-12 §8.11.4.
    private static func primaryItem(_ meta: ByteReader) -> Int? {
        guard let contents = Box.first("pitm", in: meta, from: 4) else { return nil }
        return contents.uint8(at: 0) == 0 ? contents.uint16(at: 4) : contents.uint32(at: 4)
    }

    /// The properties of one item, as places in `ipco` from 1 (ISO 23008-12 §9.3).
    private static func indices(of item: Int, in contents: ByteReader) -> [Int] {
        guard let version = contents.uint8(at: 0), let flags = contents.uint24(at: 1),
            let entries = contents.uint32(at: 4)
        else { return [] }
        let isWide = flags & 1 == 1
        var offset = 8
        for _ in 0..<entries {
            let id = version == 0 ? contents.uint16(at: offset) : contents.uint32(at: offset)
            offset += version == 0 ? 2 : 4
            guard let id, let count = contents.uint8(at: offset) else { return [] }
            offset += 1
            if id == item {
                // The highest bit says only that a reader must understand the property.
                return (0..<count).compactMap { place in
                    isWide
                        ? contents.uint16(at: offset + place * 2).map { $0 & 0x7FFF }
                        : contents.uint8(at: offset + place).map { $0 & 0x7F }
                }
            }
            offset += count * (isWide ? 2 : 1)
        }
        return []
    }

    /// The picture's data stand in `mdat`, or in an `idat` within `meta`.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        Box.areComplete(in: bytes, with: ["mdat"])
            || (Box.first("meta", in: bytes).flatMap { Box.first("idat", in: $0, from: 4) } != nil
                && Box.all(in: bytes).allSatisfy(\.isComplete))
    }
}
