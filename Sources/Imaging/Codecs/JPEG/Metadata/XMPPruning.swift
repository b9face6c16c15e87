internal import PageModel

/// The removal of elements and attributes of XMP (ISO 16684-1) that show or describe the image before a change.
///
/// They are thumbnails, depth maps, gain maps, and lists of images and videos that follow the image in its file. Every other byte
/// stays.
enum XMPPruning {
    static let name: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    static let extensionName: StaticString = "http://ns.adobe.com/xmp/extension/\0"
    /// The bytes before the data of an extension: its name, a digest, its length and an offset.
    private static let extensionHead = 35 + 32 + 8

    /// The namespaces whose elements and attributes are removed.
    private static let stale: Set<String> = [
        "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
        "http://ns.google.com/photos/1.0/camera/", "http://ns.google.com/photos/1.0/container/",
        "http://ns.google.com/photos/1.0/container/item/", "http://ns.google.com/photos/1.0/depthmap/",
        "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/dd/1.0/device/",
        "http://ns.google.com/photos/1.0/audio/", "http://ns.xiaomi.com/photos/1.0/camera/",
    ]
    private static let basic = "http://ns.adobe.com/xap/1.0/"
    private static let note = "http://ns.adobe.com/xmp/note/"

    /// Data that the XMP holds next to the image, as cameras with several lenses store them.
    enum Content: CaseIterable {
        case depthMap, image, sound

        fileprivate var namespace: String {
            switch self {
            case .depthMap: "http://ns.google.com/photos/1.0/depthmap/"
            case .image: "http://ns.google.com/photos/1.0/image/"
            case .sound: "http://ns.google.com/photos/1.0/audio/"
            }
        }

        var message: Message {
            switch self {
            case .depthMap: "its depth map"
            case .image: "the other image in its XMP"
            case .sound: "its sound"
            }
        }
    }

    /// Returns the data that the XMP of an image and its extension hold.
    static func contents(of segments: [JPEGSegments.Segment]) -> [Content] {
        let main = segments.filter { $0.marker == 0xE1 && $0.contents.has(name) }.map(\.contents.array)
        let tags = (main + [joinedExtension(segments)]).flatMap(XMLTag.all)
        let attributes = tags.flatMap(\.attributes)
        let names = Set(attributes.map(\.name) + tags.map(\.name))
        return Content.allCases.filter { content in
            attributes.contains { attribute in
                attribute.value == content.namespace && attribute.name.hasPrefix("xmlns:")
                    && names.contains("\(attribute.name.dropFirst(6)):Data")
            }
        }
    }

    private static func joinedExtension(_ segments: [JPEGSegments.Segment]) -> [UInt8] {
        segments.filter { $0.marker == 0xE1 && $0.contents.has(extensionName) }
            .flatMap { $0.contents.array.dropFirst(extensionHead) }
    }

    /// Whether the extension of the XMP, which may be long, has such a part. It is then dropped as a whole.
    static func isExtensionStale(_ segments: [JPEGSegments.Segment]) -> Bool {
        let whole = joinedExtension(segments)
        return !whole.isEmpty && pruned(whole, droppingExtension: false) != whole
    }

    /// Returns XMP without such parts.
    ///
    /// - Parameter droppingExtension: whether to remove the reference to an extension, too.
    static func pruned(_ xmp: [UInt8], droppingExtension: Bool) -> [UInt8] {
        let tags = XMLTag.all(in: xmp)
        var dropped: Set<String> = []
        var thumbnails: Set<String> = []
        for attribute in tags.lazy.flatMap(\.attributes) where attribute.name.hasPrefix("xmlns:") {
            let prefix = String(attribute.name.dropFirst(6))
            if stale.contains(attribute.value) || droppingExtension && attribute.value == note {
                dropped.insert(prefix)
            }
            if attribute.value == basic { thumbnails.insert("\(prefix):Thumbnails") }
        }
        func isStale(_ name: String) -> Bool {
            thumbnails.contains(name) || name.split(separator: ":").first.map { dropped.contains(String($0)) } ?? false
        }
        guard !dropped.isEmpty || !thumbnails.isEmpty else { return xmp }
        var cuts: [Range<Int>] = []
        /// The name of the element that is being cut out, its depth in elements of its name, and where it begins.
        var cut: (name: String, depth: Int, start: Int)?
        for tag in tags {
            if let open = cut {
                guard tag.name == open.name, tag.kind != .empty else { continue }
                let depth = open.depth + (tag.kind == .start ? 1 : -1)
                cut = depth == 0 ? nil : (open.name, depth, open.start)
                if depth == 0 { cuts.append(open.start..<tag.range.upperBound) }
            } else if tag.kind != .end, isStale(tag.name) {
                if tag.kind == .empty { cuts.append(tag.range) } else { cut = (tag.name, 1, tag.range.lowerBound) }
            } else {
                cuts += tag.attributes.filter { isStale($0.name) }.map(\.range)
            }
        }
        var (kept, place) = ([UInt8](), 0)
        for range in cuts {
            kept += xmp[place..<range.lowerBound]
            place = range.upperBound
        }
        return kept + xmp[place...]
    }
}

/// A tag of XML and its place.
private struct XMLTag {
    enum Kind { case start, end, empty }

    struct Attribute {
        let name: String
        let value: String
        /// Its place with the white space before it.
        let range: Range<Int>
    }

    let kind: Kind
    let name: String
    let attributes: [Attribute]
    let range: Range<Int>

    private static let quotes = Set("\"'".utf8)
    private static let (less, greater, slash, equals) = (
        UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "=")
    )

    /// Returns the tags in some bytes, without comments and declarations. Invalid ones end the list.
    static func all(in bytes: [UInt8]) -> [XMLTag] {
        var tags: [XMLTag] = []
        var place = 0
        while let start = bytes[place...].firstIndex(of: less), let first = bytes[(start + 1)...].first {
            guard first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
                place = start + 1
                continue
            }
            guard let tag = XMLTag(bytes, at: start) else { break }
            tags.append(tag)
            place = tag.range.upperBound
        }
        return tags
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private init?(_ bytes: [UInt8], at start: Int) {
        let isEnd = bytes[start + 1] == XMLTag.slash
        var place = start + (isEnd ? 2 : 1)
        func word() -> String {
            let first = place
            while place < bytes.count, !XMLTag.isSpace(bytes[place]),
                ![XMLTag.greater, XMLTag.slash, XMLTag.equals].contains(bytes[place])
            {
                place += 1
            }
            return String(decoding: bytes[first..<place], as: UTF8.self)
        }
        func skipSpace() { while place < bytes.count, XMLTag.isSpace(bytes[place]) { place += 1 } }
        name = word()
        var attributes: [Attribute] = []
        var isEmpty = false
        while true {
            let first = place
            skipSpace()
            guard place < bytes.count else { return nil }
            if bytes[place] == XMLTag.greater { break }
            if bytes[place] == XMLTag.slash {
                isEmpty = true
                place += 1
                continue
            }
            let name = word()
            skipSpace()
            guard !name.isEmpty, place < bytes.count, bytes[place] == XMLTag.equals else { return nil }
            place += 1
            skipSpace()
            guard place < bytes.count, XMLTag.quotes.contains(bytes[place]),
                let end = bytes[(place + 1)...].firstIndex(of: bytes[place])
            else { return nil }
            let value = String(decoding: bytes[place + 1..<end], as: UTF8.self)
            place = end + 1
            attributes.append(Attribute(name: name, value: value, range: first..<place))
        }
        self.attributes = attributes
        kind = isEnd ? .end : isEmpty ? .empty : .start
        range = start..<place + 1
    }
}
