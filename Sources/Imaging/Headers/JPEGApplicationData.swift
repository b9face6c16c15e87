internal import PageModel

/// What the application segments of a JPEG say: JFIF, EXIF, ICC, Adobe.
struct JPEGApplicationData {
    private(set) var hasJFIF = false
    private(set) var adobeTransform: Int?
    private(set) var exif: TIFFDirectory?
    private var density: Resolution?
    private var profile: [Int: ByteReader] = [:]
    /// The number of parts the profile says it has; nil when the parts contradict each other.
    private var profileCount: Int? = 0

    private static let exifName: [UInt8] = Array("Exif\0\0".utf8)
    private static let iccName: [UInt8] = Array("ICC_PROFILE\0".utf8)

    /// Takes what it knows from a segment, and passes over the rest. Of two EXIF segments the first counts.
    mutating func take(_ segment: JPEGSegments.Segment) {
        let contents = segment.contents
        switch segment.marker {
        case 0xE0 where contents.has("JFIF\0"):
            hasJFIF = true
            density = JPEGApplicationData.density(contents)
        case 0xE1 where contents.has(JPEGApplicationData.exifName) && exif == nil:
            exif = contents.part(from: JPEGApplicationData.exifName.count).flatMap { TIFFDirectory($0) }
        case 0xE2 where contents.has(JPEGApplicationData.iccName):
            takeProfile(contents)
        case 0xEE where contents.has("Adobe"):
            adobeTransform = contents.uint8(at: 11) ?? adobeTransform
        default:
            break
        }
    }

    /// JFIF's density where it has a unit (ITU-T T.871 §10.1), else EXIF's resolution.
    var resolution: Resolution? {
        if let density { return density }
        guard let exif, let horizontal = exif.fraction(.xResolution), let vertical = exif.fraction(.yResolution) else {
            return nil
        }
        // 2 is inches, which is also the default; 3 is centimetres; 1 means that only the ratio counts.
        switch exif.integer(.resolutionUnit) ?? 2 {
        case 2: return Resolution(horizontal: horizontal, vertical: vertical)
        case 3: return Resolution(horizontal: horizontal * 2.54, vertical: vertical * 2.54)
        default: return nil
        }
    }

    /// The profile put together from its parts (ICC.1 Annex B.4); nil unless each part is there once.
    var iccProfile: [UInt8]? {
        guard let profileCount, profileCount > 0, profile.count == profileCount else { return nil }
        var bytes: [UInt8] = []
        for number in 1...profileCount {
            guard let part = profile[number] else { return nil }
            bytes += part.array
        }
        return bytes
    }

    private mutating func takeProfile(_ contents: ByteReader) {
        let start = JPEGApplicationData.iccName.count
        guard let number = contents.uint8(at: start), let count = contents.uint8(at: start + 1),
            let part = contents.part(from: start + 2), let known = profileCount,
            known == 0 || known == count, profile[number] == nil
        else {
            profileCount = nil
            return
        }
        profileCount = count
        profile[number] = part
    }

    private static func density(_ contents: ByteReader) -> Resolution? {
        guard let unit = contents.uint8(at: 7), let horizontal = contents.uint16(at: 8),
            let vertical = contents.uint16(at: 10), horizontal > 0, vertical > 0
        else { return nil }
        let perInch = [1: 1.0, 2: 2.54][unit]
        return perInch.map { Resolution(horizontal: Double(horizontal) * $0, vertical: Double(vertical) * $0) }
    }
}
