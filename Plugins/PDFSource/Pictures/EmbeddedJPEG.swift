internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// A JPEG inside a PDF, with a check whether it looks the same outside.
struct EmbeddedJPEG: Hashable, Sendable {
    /// The data to insert first; nil if its bytes may be copied as they are.
    let repair: JPEGRepair?
    /// The orientation in its EXIF data.
    let orientation: Orientation
    /// The grid along which it can be cut without being decoded.
    let grid: PixelSize?
    /// The grid if something lies over it: a gray JPEG may get color.
    let gridUnderOverlay: PixelSize?
    /// See `EncodedPicture.joinKey`.
    let joinKey: JoinKey?
    /// See `EncodedPicture.isGray`.
    let isGray: Bool
    /// See `EncodedPicture.isSequentialJPEG`.
    let isSequential: Bool
    /// See `EncodedPicture.hasMergeMark`.
    let hasMergeMark: Bool

    /// The length that is enough for the header of nearly every JPEG; one with a long profile is read completely.
    private static let headCount = 16_384

    /// - Parameter place: the range of the bytes in the file. Nil if they have another encoding there.
    /// - Throws: a `Refusal` if image software would show it differently, or not at all.
    init(_ image: PDFImage, place: Range<Int>?, _ analyzer: PageAnalyzer) throws(Refusal) {
        // An image file has neither the color space nor the Decode array of the PDF.
        let isCMYK = image.color == .cmyk
        if image.isInk { throw Refusal("the image's color space is of one ink") }
        if image.isInverted && !isCMYK { throw Refusal("the image's Decode array changes its samples") }
        guard image.bits == 8 else { throw Refusal("the PDF says the JPEG has \(image.bits) bits a sample") }
        guard image.color == .gray || image.color == .rgb || isCMYK else {
            throw Refusal("the image uses the colors of the page")
        }
        let (header, isWhole) = try EmbeddedJPEG.read(image, place, analyzer)

        // Image software may not support other kinds, or would show another size or other colors.
        guard [.baseline, .extended, .progressive].contains(header.frame) else {
            throw Refusal("few image viewers support this kind of JPEG")
        }
        guard header.precision == 8 else { throw Refusal("the JPEG has \(header.precision) bits a sample") }
        guard header.size == image.size else {
            throw Refusal("the JPEG does not have the size stated in the PDF")
        }
        guard header.components.count == (image.color == .gray ? 1 : isCMYK ? 4 : 3) else {
            throw Refusal("the JPEG and the PDF disagree on the number of colors")
        }
        if !isWhole { throw Refusal("the JPEG ends too early", isDamage: true) }
        if header.components.count == 3 {
            let inside = header.adobeTransform ?? image.parameters["ColorTransform"].integer ?? 1
            guard inside == EmbeddedJPEG.transformOutside(header) else {
                throw Refusal("the JPEG's colors would change outside the PDF")
            }
        }
        if isCMYK {
            // Image software takes Adobe's marker as a sign that samples are inverted (ITU-T T.872 §6.5.3).
            guard image.isInverted == (header.adobeTransform != nil),
                header.adobeTransform != nil || (image.parameters["ColorTransform"].integer ?? 0) == 0
            else { throw Refusal("the JPEG's colors would change outside the PDF") }
        }
        // A PDF ignores the orientation and the profile in the JPEG; image software does not.
        orientation = header.exifOrientation.flatMap { Orientation(exif: $0) } ?? .upright
        let turned = orientation != .upright
        let keepsProfile = try EmbeddedJPEG.keepsProfile(header, image, analyzer.file)
        let profile = keepsProfile ? nil : image.profile
        grid = header.grid
        isGray = header.components.count == 1
        gridUnderOverlay = isGray ? JPEGSurgery.coloredGrid : grid
        joinKey = header.joinKey(profile: keepsProfile ? header.iccProfile : profile)
        hasMergeMark = header.hasMergeMark
        isSequential = header.isSequential
        let repair = JPEGRepair(
            profile: profile, dropsProfile: !keepsProfile && header.iccProfile != nil, resetsOrientation: turned)
        self.repair = repair.isNoOp ? nil : repair
    }

    /// Whether the JPEG's colors mean the same outside as in the PDF, which ignores a profile in the JPEG (ISO 32000-1, 7.4.8).
    private static func keepsProfile(
        _ header: JPEGHeader, _ image: PDFImage, _ file: PDFFile
    ) throws(Refusal) -> Bool {
        guard let own = header.iccProfile else { return image.profile == nil }
        // The meaning of inks without a profile is not defined.
        if own == image.profile || image.color == .cmyk && image.profile == nil { return true }
        guard image.profile == nil else { return false }
        do throws(PictureFault) {
            return try !ICCProfile(own).changesColors(ofGray: image.color == .gray)
        } catch {
            file.noteLackOfMemory()
            throw Refusal("the JPEG's color profile cannot be read")
        }
    }

    private static func read(
        _ image: PDFImage, _ place: Range<Int>?, _ analyzer: PageAnalyzer
    ) throws(Refusal) -> (JPEGHeader, isWhole: Bool) {
        if let place,
            let header = JPEGHeader(analyzer.file.bytes(at: place.lowerBound, upTo: min(headCount, place.count))),
            header.scanOffset != nil, analyzer.file.bytes(at: place.upperBound - 2, upTo: 2) == [0xFF, 0xD9]
        {
            return (header, true)
        }
        let limit = analyzer.limits.entryBytes
        guard let bytes = try? analyzer.file.data(of: image.object, keepingFilters: 1, limit: limit) else {
            throw Refusal("the image's data is damaged", isDamage: true)
        }
        guard let header = JPEGHeader(bytes), header.scanOffset != nil else {
            throw Refusal("the image's data is not a JPEG", isDamage: true)
        }
        return (header, PictureCheck.defect(in: bytes, .jpeg) == nil)
    }

    /// Returns the transform of three components in image software: Adobe's marker decides, then JFIF, then the components'
    /// names.
    private static func transformOutside(_ header: JPEGHeader) -> Int {
        if let transform = header.adobeTransform { return transform }
        if header.hasJFIF { return 1 }
        return header.components.map(\.id) == Array("RGB".utf8).map(Int.init) ? 0 : 1
    }
}

/// The data to insert into a JPEG because only the PDF around it had them.
struct JPEGRepair: Sendable, Hashable {
    /// A profile to insert.
    var profile: [UInt8]?
    /// Whether to drop the JPEG's profile, which does not count in the PDF.
    var dropsProfile: Bool
    /// Whether to reset an EXIF orientation, which PDF ignores and image software applies.
    var resetsOrientation: Bool

    /// Whether the repair is empty.
    var isNoOp: Bool { profile == nil && !dropsProfile && !resetsOrientation }

    /// The repair without the orientation; nil if it is empty.
    var keepingOrientation: JPEGRepair? {
        let rest = JPEGRepair(profile: profile, dropsProfile: dropsProfile, resetsOrientation: false)
        return rest.isNoOp ? nil : rest
    }

    /// The description for the report.
    var description: Message {
        let profile: Message? =
            switch (self.profile != nil, dropsProfile) {
            case (true, true): "its color profile was replaced by the PDF's"
            case (true, false): "its color profile was inserted"
            case (false, true): "its color profile, which has no effect in the PDF, was removed"
            case (false, false): nil
            }
        guard resetsOrientation else { return profile ?? "" }
        return profile.map { "\($0), its EXIF orientation was reset" } ?? "its EXIF orientation was reset"
    }
}
