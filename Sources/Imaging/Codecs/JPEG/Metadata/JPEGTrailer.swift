package import PageModel

/// The other data of a JPEG: gain maps, depth maps, other images of a stereo pair or a panorama, sound, videos.
///
/// They follow the image, or its XMP holds them.
///
/// No program shows them if the image was changed: its metadata state their places, and they have its size.
package enum JPEGTrailer {
    /// Returns a remark on these data, which a changed image lacks; nil without such data.
    ///
    /// - Parameters:
    ///   - file: the bytes of the original JPEG.
    ///   - omitted: the number of bytes that follow them in the original.
    package static func loss(of file: [UInt8], omitted: Int = 0) -> Message? {
        let bytes = ByteReader(file)
        let segments = Array(JPEGSegments(bytes))
        let parts = XMPPruning.contents(of: segments).map(\.message) + partsAfterEnd(of: bytes, omitted, segments)
        return parts.isEmpty ? nil : "left out \(parts.joined(separator: ", ")), because the image was changed"
    }

    private static func partsAfterEnd(
        of bytes: ByteReader, _ omitted: Int, _ segments: [JPEGSegments.Segment]
    ) -> [Message] {
        let count = omitted > 0 ? bytes.count + omitted : bytes.countWithoutPadding
        guard let end = JPEGCodec.end(of: bytes), end < count, let rest = bytes.part(from: end) else { return [] }
        var (images, place) = (0, 0)
        var hasGainMap = segments.contains { isGainMap($0.contents) }
        let video = video(in: rest)
        while let next = rest.firstOffset(of: 0xFF, from: place), next < video ?? rest.count {
            place = next + 1
            guard rest.has([0xFF, 0xD8, 0xFF], at: next), let image = rest.part(from: next) else { continue }
            guard let end = JPEGCodec.end(of: image) else { break }
            images += 1
            hasGainMap = hasGainMap || JPEGSegments(image).contains { isGainMap($0.contents) }
            place = next + end
        }
        var parts: [Message] = []
        if hasGainMap, images > 0 {
            parts.append("its gain map")
            images -= 1
        }
        if images > 0 { parts.append(images == 1 ? "1 other image" : "\(images) other images") }
        if video != nil { parts.append("its video") }
        if parts.isEmpty { parts.append("\(count - end) bytes after its end") }
        return parts
    }

    /// Whether metadata describe a gain map (ISO 21496-1; Adobe's and Apple's XMP).
    private static func isGainMap(_ contents: ByteReader) -> Bool {
        if contents.has("urn:iso:std:iso:ts:21496:") { return true }
        guard contents.has(XMPPruning.name) else { return false }
        let xmp = String(decoding: contents.array, as: UTF8.self)
        return xmp.contains("/hdr-gain-map/") || xmp.contains("/HDRGainMap/")
    }

    /// Returns the place of a video in ISO media boxes; nil without one. Cameras put a few bytes of their own before it.
    private static func video(in bytes: ByteReader) -> Int? {
        var place = 0
        while let found = bytes.firstOffset(of: UInt8(ascii: "f"), from: place) {
            if bytes.has("ftyp", at: found) { return found }
            place = found + 1
        }
        return nil
    }
}
