internal import AdapterKit
internal import CDeflate
internal import Files
internal import Imaging
internal import PDFStructure
internal import PageModel

/// An image that waits in the spool.
struct SpooledPicture {
    /// Its index among the images.
    let index: Int
    let size: PixelSize
    /// The pixels per inch as stored, if stated.
    let resolution: Resolution?
    /// The change to it, unless its file's own data are stored in the PDF.
    var change: Composition?
}

/// The images of a book as the PDF will hold them, each once for any number of pages that show it.
struct PictureSpool {
    /// An image with its data in the spool.
    private struct Entry {
        /// The dictionary without the parts that are separate objects.
        let dictionary: [String: PDFValue]
        let colors: PDFPicture.Colors
        let profile: Int?
        let data: Range<Int>
        /// The index of the image that is its soft mask.
        let mask: Int?
        let checksum: UInt32
    }

    /// The key that differs for most images; images with equal keys are compared.
    private struct Fingerprint: Hashable {
        let count: Int
        let end: [UInt8]

        init(_ data: [UInt8]) {
            count = data.count
            end = Array(data.suffix(64))
        }
    }

    private let spool: SpoolFile
    private let limits: Limits
    /// Whether an image with losses is refused.
    private let isLossless: Bool
    private var entries: [Entry] = []
    private var profiles: [[UInt8]] = []
    private var known: [Fingerprint: [SpooledPicture]] = [:]

    /// - Throws: `.unwritable`.
    init(limits: Limits, isLossless: Bool) throws(AdapterError) {
        spool = try SpoolFile()
        self.limits = limits
        self.isLossless = isLossless
    }

    /// Adds an image, or finds it among the existing ones.
    ///
    /// - Throws: `.damaged`, `.unsupported`, `.tooLarge` if a necessary decoding fails; `.unwritable`.
    mutating func add(_ page: EncodedPage) throws(AdapterError) -> SpooledPicture {
        let made = try made(page)
        var mask: Int?
        if let alpha = made.alpha { mask = try add(alpha, mask: nil).index }
        var spooled = try add(made.picture, mask: mask)
        spooled.change = made.change
        return spooled
    }

    /// Adds a stencil, whose black pixels are painted black.
    ///
    /// - Parameter raster: one bit a pixel.
    mutating func addStencil(_ raster: Raster) throws(AdapterError) -> SpooledPicture {
        var picture = try made(raster)
        picture.isStencil = true
        return try add(picture, mask: nil)
    }

    private mutating func add(_ picture: PDFPicture, mask: Int?) throws(AdapterError) -> SpooledPicture {
        let dictionary = PictureSpool.dictionary(of: picture)
        var profile: Int?
        if let bytes = picture.profile {
            profile = profiles.firstIndex(of: bytes) ?? profiles.count
            if profile == profiles.count { profiles.append(bytes) }
        }
        let fingerprint = Fingerprint(picture.data)
        for other in known[fingerprint] ?? [] {
            let entry = entries[other.index]
            if entry.dictionary == dictionary, entry.colors == picture.colors, entry.profile == profile,
                entry.mask == mask,
                try spool.read(at: entry.data.lowerBound, count: entry.data.count) == picture.data
            {
                return other
            }
        }
        let start = try spool.append(picture.data)
        entries.append(
            Entry(
                dictionary: dictionary, colors: picture.colors, profile: profile,
                data: start..<start + picture.data.count, mask: mask,
                checksum: picture.data.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }))
        let spooled = SpooledPicture(index: entries.count - 1, size: picture.size, resolution: picture.resolution)
        known[fingerprint, default: []].append(spooled)
        return spooled
    }

    private static func dictionary(of picture: PDFPicture) -> [String: PDFValue] {
        var dictionary: [String: PDFValue] = [
            "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(picture.size.width),
            "Height": .integer(picture.size.height), "BitsPerComponent": .integer(picture.bits),
            "Filter": .name(picture.filter),
        ]
        if picture.isStencil { dictionary["ImageMask"] = .boolean(true) }
        if !picture.parameters.isEmpty { dictionary["DecodeParms"] = .dictionary(picture.parameters) }
        if picture.isInverted {
            dictionary["Decode"] = .array((0..<picture.colors.colorants).flatMap { _ in [.integer(1), .integer(0)] })
        }
        return dictionary
    }

    // MARK: Conversion of a file

    /// An image as stored in a PDF.
    private struct Made {
        var picture: PDFPicture
        /// Its coverage.
        var alpha: PDFPicture?
        var change: Composition?
    }

    private func made(_ page: EncodedPage) throws(AdapterError) -> Made {
        switch page.encoding {
        case .jpeg: if let picture = PDFPicture(jpeg: page.bytes) { return Made(picture: picture) }
        case .jpeg2000: if let picture = PDFPicture(jpeg2000: page.bytes) { return Made(picture: picture) }
        case .tiff:
            if let fax = FaxContents(tiff: page.bytes) { return Made(picture: PDFPicture(fax: fax)) }
            if PictureHeader(page.bytes)?.isCMYK == true, let made = try inks(page) { return made }
        case .png:
            if let picture = PNGContents(page.bytes).flatMap({ PDFPicture(png: $0) }) {
                let packed = try picture.packed { () throws(AdapterError) in try decoded(page).raster }
                return Made(
                    picture: packed, change: packed.filter == picture.filter ? nil : PictureSpool.change(packed, nil))
            }
        default: break
        }
        let image = try decoded(page)
        if let loss = image.loss, isLossless {
            throw AdapterError(
                .unsupported, "cannot keep every pixel: \(loss)", hint: "remove --lossless to convert it")
        }
        let (colors, alpha) = image.raster.separatingAlpha()
        let picture = try made(colors)
        return Made(
            picture: picture, alpha: try alpha.map { alpha throws(AdapterError) in try made(alpha) },
            change: PictureSpool.change(picture, image.loss))
    }

    /// Returns a CMYK TIFF with its own samples and profile; nil for one whose samples only libtiff can interpret.
    private func inks(_ page: EncodedPage) throws(AdapterError) -> Made? {
        let inks: InkPicture
        do throws(PictureFault) {
            inks = try InkPicture(tiff: page.bytes, maximumPixels: limits.pixels)
        } catch {
            if error.kind == .unsupported { return nil }
            throw AdapterError(error)
        }
        guard let picture = PDFPicture(inks: inks) else {
            throw AdapterError(.unsupported, "its samples cannot be stored in a PDF")
        }
        var change = Composition(.lossless, [Note(.recompressed, ["compression": "Flate"]), Note(.keptCMYK)])
        change.defect = inks.diagnostics.first.map { "the TIFF is damaged (\($0))" }
        return Made(picture: picture, change: change)
    }

    /// Returns the report about a recompressed image.
    private static func change(_ picture: PDFPicture, _ loss: Message?) -> Composition {
        let note = Note(.recompressed, ["compression": picture.compression])
        return Composition(
            loss == nil ? .lossless : .encoded, [note] + (loss.map { [Note(.loss, text: $0)] } ?? []))
    }

    private func made(_ raster: Raster) throws(AdapterError) -> PDFPicture {
        guard let picture = PNGContents(raster).flatMap({ PDFPicture(png: $0) }) else {
            throw AdapterError(.unsupported, "its samples cannot be stored in a PDF")
        }
        return try picture.packed { () throws(AdapterError) in raster }
    }

    private func decoded(_ page: EncodedPage) throws(AdapterError) -> DecodedImage {
        try AdapterError.imaging { () throws(PictureFault) in
            try PictureDecoder.decode(page.bytes, DecodeRequest(page.encoding, maximumPixels: limits.pixels))
        }
    }

    // MARK: The objects

    /// A short description of all images: equal for equal images.
    var description: String {
        entries.map { "\($0.checksum) \($0.data.count) \($0.mask ?? -1) \($0.profile ?? -1)" }.joined(separator: ",")
    }

    /// Adds all images to a document.
    ///
    /// - Returns: their objects, in order.
    func write(to document: PDFFile) throws(AdapterError) -> [PDFReference] {
        var spaces: [PDFReference] = []
        for profile in profiles {
            let start = try spool.append(profile)
            let colorants = ICCProfile(profile).colorants ?? 3
            spaces.append(
                try document.addStream(
                    ["N": .integer(colorants)], spool, at: start..<start + profile.count))
        }
        var references: [PDFReference] = []
        for entry in entries {
            var dictionary = entry.dictionary
            if dictionary["ImageMask"] == nil {
                dictionary["ColorSpace"] = PictureSpool.space(entry.colors, entry.profile.map { spaces[$0] })
            }
            // Soft masks and JBIG2 came with PDF 1.4, JPEG 2000 and samples of 16 bits with 1.5.
            if let mask = entry.mask {
                dictionary["SMask"] = .reference(references[mask])
                document.require(PDFVersion(1, 4))
            }
            if dictionary["Filter"] == .name("JBIG2Decode") { document.require(PDFVersion(1, 4)) }
            let isRecent =
                dictionary["Filter"] == .name("JPXDecode") || dictionary["BitsPerComponent"] == .integer(16)
            if isRecent { document.require(PDFVersion(1, 5)) }
            references.append(try document.addStream(dictionary, spool, at: entry.data))
        }
        return references
    }

    private static func space(_ colors: PDFPicture.Colors, _ profile: PDFReference?) -> PDFValue {
        func base(_ name: String) -> PDFValue {
            profile.map { .array([.name("ICCBased"), .reference($0)]) } ?? .name(name)
        }
        switch colors {
        case .gray: return base("DeviceGray")
        case .rgb: return base("DeviceRGB")
        case .cmyk: return base("DeviceCMYK")
        case .palette(let table):
            return .array([.name("Indexed"), base("DeviceRGB"), .integer(table.count / 3 - 1), .bytes(table)])
        }
    }
}

extension Note.Code {
    /// The image is stored in another compression without loss.
    static let recompressed = Note.Code("recompressed") { "recompressed as \($0.value("compression"))" }
}
