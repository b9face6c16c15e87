internal import Imaging

/// A colour space whose samples a picture file can hold as they are (ISO 32000-1, 8.6).
struct ColorSpace {
    let color: PDFImage.Color
    let profile: [UInt8]?

    private static let mostProfileBytes = 16 << 20

    /// - Throws: a `Refusal` for every colour space that picture files do not know.
    init(_ space: PDFObject, resources: PDFObject, file: PDFFile, isJPEG2000: Bool) throws(Refusal) {
        var space = space
        // A name may stand for a colour space in the resources, but not one of PDF's own names.
        if let name = space.name, !["DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"].contains(name) {
            let named = resources["ColorSpace"][name]
            if !named.isNull { space = named }
        }
        let items = space.items
        switch space.name ?? items.first?.name {
        case nil where isJPEG2000 && space.isNull:
            self.init(.own)
        case "DeviceGray", "G", "CalGray":
            try ColorSpace.refuse("DefaultGray", in: resources, if: space.name != nil)
            self.init(.gray)
        case "DeviceRGB", "RGB", "CalRGB":
            try ColorSpace.refuse("DefaultRGB", in: resources, if: space.name != nil)
            self.init(.rgb)
        case "ICCBased" where items.count > 1:
            let stream = items[1]
            let count = stream["N"].integer
            guard count == 1 || count == 3 else { throw Refusal("the picture's colours are CMYK") }
            let profile = try? file.data(of: stream, limit: ColorSpace.mostProfileBytes)
            self.init(
                count == 1 ? .gray : .rgb,
                profile: profile.flatMap { ICCProfile($0).changesColors(ofGray: count == 1) ? $0 : nil })
        case "Indexed" where items.count > 3, "I" where items.count > 3:
            self.init(.palette(try ColorSpace.palette(items, resources: resources, file: file)))
        case "DeviceCMYK", "CMYK":
            throw Refusal("the picture's colours are CMYK")
        case let name:
            throw Refusal("the picture's colour space is \(name ?? "missing")")
        }
    }

    private init(_ color: PDFImage.Color, profile: [UInt8]? = nil) {
        self.color = color
        self.profile = profile
    }

    private static func refuse(_ name: String, in resources: PDFObject, if isDevice: Bool) throws(Refusal) {
        if isDevice, !resources["ColorSpace"][name].isNull {
            throw Refusal("the page gives \(name.dropFirst(7)) colours another meaning")
        }
    }

    /// The table of an Indexed space as red, green, blue bytes.
    private static func palette(
        _ items: [PDFObject], resources: PDFObject, file: PDFFile
    ) throws(Refusal) -> [UInt8] {
        let base = try ColorSpace(items[1], resources: resources, file: file, isJPEG2000: false)
        guard base.profile == nil, let highest = items[2].integer, (0...255).contains(highest) else {
            throw Refusal("the picture's colour table has colours of its own")
        }
        let stream = items[3].kind == .stream ? try? file.data(of: items[3], limit: 1 << 16) : nil
        guard let bytes = items[3].string ?? stream else { throw Refusal("the picture's colour table is missing") }
        let components: Int
        switch base.color {
        case .gray: components = 1
        case .rgb: components = 3
        default: throw Refusal("the picture's colour table has colours of its own")
        }
        let needed = (highest + 1) * components
        // A table that ends early is black from there on.
        let table = (bytes + [UInt8](repeating: 0, count: max(0, needed - bytes.count))).prefix(needed)
        return components == 3 ? Array(table) : table.flatMap { [$0, $0, $0] }
    }
}
