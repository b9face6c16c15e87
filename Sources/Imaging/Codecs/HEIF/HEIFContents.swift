internal import PageModel

/// The items and tracks of AVIF and HEIF files, as far as they say what images a file holds.
extension HEIFCodec {
    /// Returns the spatial extent (`ispe`) of the primary item after its clean aperture (`clap`) and rotation (`irot`).
    ///
    /// For a grid it is the size of the whole image.
    static func size(in bytes: ByteReader) -> PixelSize? {
        var size: PixelSize?
        for box in properties(bytes) {
            guard let property = box.contents else { continue }
            switch box.type {
            case "ispe": size = size ?? PixelSize(stated: property.uint32(at: 4), property.uint32(at: 8))
            // Two bits: counterclockwise quarter turns (ISO 23008-12 §6.5.10).
            case "irot": size = size?.rotated(quarters: (property.uint8(at: 0) ?? 0) & 3)
            case "clap": size = size.map { cleanAperture(of: $0, property) }
            default: break
            }
        }
        return size
    }

    /// Returns the colors of the primary item that numbers describe (`nclx`, ISO 14496-12 §12.1.5); nil for others, and sRGB.
    static func describedColors(in bytes: ByteReader) -> DescribedColors? {
        for box in properties(bytes) where box.type == "colr" {
            guard let property = box.contents, property.has("nclx"), let primaries = property.uint16(at: 4),
                let transfer = property.uint16(at: 6)
            else { continue }
            return DescribedColors(primaries: primaries, transfer: transfer)
        }
        return nil
    }

    /// Returns the properties of the primary item, in the order in which they apply (ISO 23008-12 §9.3).
    private static func properties(_ bytes: ByteReader) -> [ISOBox] {
        guard let meta = ISOBox.first("meta", in: bytes), let primary = primaryItem(meta),
            let properties = ISOBox.first("iprp", in: meta, from: 4),
            let list = ISOBox.first("ipco", in: properties)
        else { return [] }
        let boxes = Array(ISOBox.all(in: list))
        for association in ISOBox.all(in: properties) where association.type == "ipma" {
            let places = association.contents.map { indices(of: primary, in: $0) } ?? []
            if !places.isEmpty { return places.filter { boxes.indices.contains($0 - 1) }.map { boxes[$0 - 1] } }
        }
        return []
    }

    /// Returns the size of the part of an image that a clean aperture keeps (ISO 14496-12 §12.1.4.2), rounded as libheif does.
    ///
    /// Four fractions state its width and height, and the distance of its center from that of the image.
    private static func cleanAperture(of size: PixelSize, _ contents: ByteReader) -> PixelSize {
        func fraction(_ offset: Int, isSigned: Bool = false) -> Double? {
            guard let numerator = contents.uint32(at: offset), let denominator = contents.uint32(at: offset + 4),
                denominator > 0
            else { return nil }
            return Double(isSigned ? Int(Int32(truncatingIfNeeded: numerator)) : numerator) / Double(denominator)
        }
        func length(_ whole: Int, _ place: Int) -> Int? {
            guard let length = fraction(place), let shift = fraction(16 + place, isSigned: true) else { return nil }
            let first = (shift + Double(whole - 1) / 2 - (length - 1) / 2).rounded(.down)
            let last = length.rounded() - 1 + first
            return Int(checked: min(last, Double(whole - 1)) - max(first, 0) + 1)
        }
        guard let width = length(size.width, 0), let height = length(size.height, 8), width > 0, height > 0 else {
            return size
        }
        return PixelSize(width: width, height: height)
    }

    /// Returns the primary item (ISO 14496-12 §8.11.4).
    static func primaryItem(_ meta: ByteReader) -> Int? {
        guard let contents = ISOBox.first("pitm", in: meta, from: 4) else { return nil }
        return contents.uint8(at: 0) == 0 ? contents.uint16(at: 4) : contents.uint32(at: 4)
    }

    /// Returns the properties of one item, as places in `ipco` from 1 (ISO 23008-12 §9.3).
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
                // The highest bit only marks a property that a decoder must understand.
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
}

/// The number of images.
extension HEIFCodec {
    /// Returns the number of images that programs may show: still images, or the frames of a sequence.
    static func pictureCount(_ bytes: ByteReader) -> Int { max(stillCount(bytes), frameCount(bytes)) }

    /// The types of items that are images: coded ones and those made from others (ISO 23008-12 §6.6.2).
    private static let imageTypes: Set<FourCC> = [
        "hvc1", "av01", "avc1", "vvc1", "jpeg", "j2k1", "unci", "grid", "iovl", "iden", "tmap",
    ]

    /// Counts the image items, except hidden ones, thumbnails, auxiliary images and the parts of other images.
    private static func stillCount(_ bytes: ByteReader) -> Int {
        guard let meta = ISOBox.first("meta", in: bytes), let list = ISOBox.first("iinf", in: meta, from: 4) else {
            return 0
        }
        var items: Set<Int> = []
        for box in ISOBox.all(in: list, from: list.uint8(at: 0) == 0 ? 6 : 8) where box.type == "infe" {
            guard let entry = box.contents, let version = entry.uint8(at: 0), let flags = entry.uint24(at: 1),
                let id = version < 3 ? entry.uint16(at: 4) : entry.uint32(at: 4),
                let type = entry.fourCC(at: version < 3 ? 8 : 10)
            else { continue }
            // The lowest bit marks an item that is not to be shown.
            if flags & 1 == 0, imageTypes.contains(type) { items.insert(id) }
        }
        if let references = ISOBox.first("iref", in: meta, from: 4) { items.subtract(parts(references)) }
        if let groups = ISOBox.first("grpl", in: meta, from: 4) {
            // Only one of several alternatives is shown.
            for box in ISOBox.all(in: groups) where box.type == "altr" {
                guard let group = box.contents else { continue }
                items.subtract(
                    ids(group, from: 12, count: group.uint32(at: 8) ?? 0, isWide: true).filter(items.contains)
                        .dropFirst())
            }
        }
        return items.count
    }

    /// Returns the items that are thumbnails, auxiliary images or parts of others (ISO 14496-12 §8.11.12).
    private static func parts(_ references: ByteReader) -> Set<Int> {
        let isWide = references.uint8(at: 0) == 1
        let width = isWide ? 4 : 2
        var parts: Set<Int> = []
        for box in ISOBox.all(in: references, from: 4) {
            guard let entry = box.contents, let from = ids(entry, from: 0, count: 1, isWide: isWide).first else {
                continue
            }
            switch box.type {
            case "thmb", "auxl": parts.insert(from)
            case "dimg":
                parts.formUnion(ids(entry, from: width + 2, count: entry.uint16(at: width) ?? 0, isWide: isWide))
            default: break
            }
        }
        return parts
    }

    private static func ids(_ bytes: ByteReader, from start: Int, count: Int, isWide: Bool) -> [Int] {
        let width = isWide ? 4 : 2
        let count = min(count, bytes.count / width)
        return (0..<count).compactMap { isWide ? bytes.uint32(at: start + 4 * $0) : bytes.uint16(at: start + 2 * $0) }
    }

    /// Returns the number of samples of the longest track of images (ISO 14496-12 §8.7.3).
    private static func frameCount(_ bytes: ByteReader) -> Int {
        guard let movie = ISOBox.first("moov", in: bytes) else { return 0 }
        var most = 0
        for track in ISOBox.all(in: movie) where track.type == "trak" {
            guard let media = track.contents.flatMap({ ISOBox.first("mdia", in: $0) }),
                let handler = ISOBox.first("hdlr", in: media)?.fourCC(at: 8), ["pict", "vide"].contains(handler),
                let table = ISOBox.first("minf", in: media).flatMap({ ISOBox.first("stbl", in: $0) }),
                let sizes = ISOBox.first("stsz", in: table) ?? ISOBox.first("stz2", in: table)
            else { continue }
            most = max(most, sizes.uint32(at: 8) ?? 0)
        }
        return most
    }
}
