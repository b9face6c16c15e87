internal import Files
internal import Imaging
internal import PDFStructure
internal import PageModel

/// Whether poppler renders a page in its colors.
enum Faithfulness: Hashable, Sendable {
    /// It uses nothing that poppler ignores.
    case ordinary
    /// It does after the changes of `FaithfulPage`.
    case afterChanges
    /// It shows wrong colors.
    case wrong(Message)
}

/// The changes to a copy of a page without which poppler would show other colors.
///
/// Poppler ignores the white point and the gamma of calibrated colors, and the color by which an image was multiplied (/Matte). It
/// ignores that JPEG 2000 has luma and chroma, and rare features of JBIG2. Calibrated colors get a profile, and images other
/// samples.
struct FaithfulPage {
    private let file: PDFFile

    init(_ copy: PDFFile) {
        file = copy
    }

    /// Changes the resources of a page.
    func apply(to page: PDFObject) throws(AdapterError) {
        var (pending, seen): ([PDFObject], Set<PDFReference>) = ([page["Resources"]], [])
        while let resources = pending.popLast() {
            if let reference = resources.reference, !seen.insert(reference).inserted { continue }
            try calibrate(resources["ColorSpace"])
            for kind in ["XObject", "Pattern", "Shading"] {
                let objects = resources[kind]
                for key in objects.keys {
                    let object = objects[key]
                    if let reference = object.reference, !seen.insert(reference).inserted { continue }
                    try calibrate(object, ["ColorSpace"])
                    try calibrate(object["Shading"], ["ColorSpace"])
                    if object["Subtype"].name == "Image" {
                        try replace(key, in: objects, resources)
                    } else if object["Resources"].kind == .dictionary {
                        pending.append(object["Resources"])
                    }
                }
            }
        }
    }

    /// Replaces the calibrated spaces among the values of a dictionary.
    private func calibrate(_ spaces: PDFObject, _ keys: [String]? = nil) throws(AdapterError) {
        guard spaces.kind == .dictionary || spaces.kind == .stream else { return }
        for key in keys ?? spaces.keys {
            let space = spaces[key]
            if let profile = FaithfulPage.profile(of: space) {
                try file.set(key, of: spaces, to: try value(of: profile, isGray: space.item(0).name == "CalGray"))
            } else if space.item(0).name == "Indexed" || space.item(0).name == "I",
                let profile = FaithfulPage.profile(of: space.item(1))
            {
                let base = try value(of: profile, isGray: space.item(1).item(0).name == "CalGray")
                let table: PDFValue
                if let bytes = space.item(3).string {
                    table = .bytes(bytes)
                } else if let reference = space.item(3).reference {
                    table = .reference(reference)
                } else {
                    continue
                }
                try file.set(
                    key, of: spaces,
                    to: .array([.name("Indexed"), base, .integer(space.item(2).integer ?? 0), table]))
            }
        }
    }

    /// Returns the profile of a calibrated space; nil for others.
    static func profile(of space: PDFObject) -> ICCProfile? {
        switch space.item(0).name {
        case "CalGray": ICCProfile.calibratedGray(gamma: space.item(1)["Gamma"].number ?? 1)
        case "CalRGB": CalibratedColors(space.item(1)).profile
        default: nil
        }
    }

    private func value(of profile: ICCProfile, isGray: Bool) throws(AdapterError) -> PDFValue {
        let stream = try stream(["N": .integer(isGray ? 1 : 3)], profile.bytes)
        return .array([.name("ICCBased"), .reference(stream)])
    }

    private func stream(_ dictionary: [String: PDFValue], _ bytes: [UInt8]) throws(AdapterError) -> PDFReference {
        let spool = try SpoolFile()
        let start = try spool.append(bytes)
        return try file.addStream(dictionary, spool, at: start..<start + bytes.count)
    }

    /// Replaces an image whose samples poppler would misread.
    private func replace(_ key: String, in objects: PDFObject, _ resources: PDFObject) throws(AdapterError) {
        let image = objects[key]
        guard let raster = FaithfulImage(image, resources, file)?.raster else { return }
        var dictionary: [String: PDFValue] = [
            "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(raster.size.width),
            "Height": .integer(raster.size.height), "BitsPerComponent": .integer(raster.format.bitsPerSample),
        ]
        for kept in ["ColorSpace", "ImageMask", "Decode", "Mask", "SMask", "OC"] where !image[kept].isNull {
            guard let value = FaithfulPage.value(of: image[kept]) else { return }
            dictionary[kept] = value
        }
        let isStencil = image["ImageMask"].boolean == true
        if image["ColorSpace"].isNull, !isStencil { dictionary["ColorSpace"] = .name("DeviceRGB") }
        let made = file.object(try stream(dictionary, raster.samples))
        if image["SMask"].kind == .stream { try file.set("Matte", of: image["SMask"], to: PDFValue.null) }
        try file.set(key, of: objects, to: made)
    }
}

extension FaithfulPage {
    /// Returns a value of a dictionary, as a reference if it is an object of its own; nil for a direct dictionary.
    fileprivate static func value(of object: PDFObject) -> PDFValue? {
        if let reference = object.reference { return .reference(reference) }
        switch object.kind {
        case .boolean: return object.boolean.map { .boolean($0) }
        case .number: return object.number.map { .real($0) }
        case .name: return object.name.map { .name($0) }
        case .string: return object.string.map { .bytes($0) }
        case .array:
            let values = object.items.map { value(of: $0) }
            return values.contains(nil) ? nil : .array(values.compactMap { $0 })
        default: return nil
        }
    }
}

/// An image whose samples poppler would misread, and its right samples.
struct FaithfulImage {
    /// The right samples; nil if jisui cannot compute them.
    let raster: Raster?

    /// - Returns: nil if poppler reads it rightly.
    init?(_ image: PDFObject, _ resources: PDFObject, _ file: PDFFile) {
        let filter = image["Filter"]
        switch filter.name ?? filter.items.last?.name {
        case "JPXDecode":
            guard let data = try? file.data(of: image, keepingFilters: 1, limit: FaithfulImage.maximumBytes),
                JPEG2000Header.isYCC(data)
            else { return nil }
            let decoded = try? PictureDecoder.decode(data, .jpeg2000, maximumPixels: FaithfulImage.maximumBytes)
            let isColor = decoded?.raster.format == .rgb(bits: 8) || decoded?.raster.format == .rgb(bits: 16)
            raster = isColor ? decoded?.raster : nil
        case "JBIG2Decode":
            guard let own = try? PDFImage(image, resources: resources, file: file, ignoresMasks: true),
                let data = try? file.data(of: image, keepingFilters: 1, limit: FaithfulImage.maximumBytes)
            else { return nil }
            let shared = own.parameters["JBIG2Globals"]
            let globals =
                shared.isNull ? [] : (try? file.data(of: shared, limit: FaithfulImage.maximumBytes)) ?? []
            if JBIG2Decoder.isUsual(data, globals: globals) { return nil }
            let samples = try? JBIG2Decoder.decode(data, globals: globals, size: own.size)
            raster = samples.map { Raster(size: own.size, format: .gray(bits: 1), samples: $0) }
        default:
            guard let matte = image["SMask"]["Matte"].numbers else { return nil }
            raster = FaithfulImage.unmultiplied(image, matte, resources, file)
        }
    }

    private static let maximumBytes = 1 << 28

    /// Returns the colors of an image before they were multiplied by its soft mask (ISO 32000-1, 11.6.5.3).
    private static func unmultiplied(
        _ image: PDFObject, _ matte: [Double], _ resources: PDFObject, _ file: PDFFile
    ) -> Raster? {
        let mask = image["SMask"]
        guard let own = try? PDFImage(image, resources: resources, file: file, ignoresMasks: true),
            let alphas = try? PDFImage(mask, resources: resources, file: file), !own.isInverted,
            own.pixelFormat == .rgb(bits: 8) || own.pixelFormat == .gray(bits: 8), own.size == alphas.size,
            alphas.pixelFormat == .gray(bits: 8), var raster = StoredSamples.raster(of: own, file),
            let alpha = StoredSamples.raster(of: alphas, file)
        else { return nil }
        let channels = raster.format.bitsPerPixel / 8
        guard matte.count == channels, matte.allSatisfy({ (0...1).contains($0) }) else { return nil }
        let mattes = matte.map { Int(clamping: $0 * 255, to: 0...255) }
        var samples = raster.samples
        for pixel in 0..<raster.size.area {
            let share = Int(alpha.samples[pixel])
            guard share > 0, share < 255 else { continue }
            for channel in 0..<channels {
                let place = pixel * channels + channel
                let distance = (Int(samples[place]) - mattes[channel]) * 255
                // Rounded to the nearest.
                let color = mattes[channel] + (2 * distance + (distance < 0 ? -share : share)) / (2 * share)
                samples[place] = UInt8(clamping: color)
            }
        }
        raster = Raster(size: raster.size, format: raster.format, samples: samples)
        return raster
    }
}

extension PageAnalyzer {
    /// Notes whether poppler would render a page in its colors, if the page may be rendered.
    func judgeFaithfulness(of interpreter: ContentInterpreter, in analysis: inout PageAnalysis) {
        // Other extracted images without content over them are never rendered instead.
        let hasOverlay = analysis.extraction?.overlay != nil || analysis.mosaic?.overlay != nil
        var mayBeRendered = !analysis.isExtracted || hasOverlay
        if case .jpeg2000 = analysis.extraction?.kind { mayBeRendered = true }
        guard mayBeRendered else { return }
        analysis.faithfulness = faithfulness(of: interpreter)
        if case .wrong(let cause) = analysis.faithfulness, !analysis.isExtracted { analysis.defects.append(cause) }
    }

    /// Decides whether poppler would render a page in its colors.
    ///
    /// - Parameter interpreter: the interpreter that has read the page.
    private func faithfulness(of interpreter: ContentInterpreter) -> Faithfulness {
        var result = interpreter.hasCalibratedColors ? Faithfulness.afterChanges : .ordinary
        var seen: Set<PDFReference> = []
        for case .picture(let picture) in interpreter.marks {
            let object = picture.object
            if let reference = object.reference, !seen.insert(reference).inserted { continue }
            let space = object["ColorSpace"]
            let named = space.name.map { picture.resources["ColorSpace"][$0] } ?? space
            if FaithfulPage.profile(of: named) != nil || FaithfulPage.profile(of: named.item(1)) != nil {
                result = .afterChanges
            }
            guard let image = FaithfulImage(object, picture.resources, file) else { continue }
            if image.raster == nil {
                return .wrong("an image has colors that can only be rendered approximately: check the page")
            }
            result = .afterChanges
        }
        return result
    }
}
