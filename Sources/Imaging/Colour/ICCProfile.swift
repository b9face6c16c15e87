internal import CLCMS

/// An ICC colour profile (ICC.1), and whether following it changes how samples look.
public struct ICCProfile: Sendable {
    /// The profile file, as it is embedded in pictures.
    public let bytes: [UInt8]

    /// - Parameter bytes: need not be a profile: one that is broken changes nothing.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The colours the profile is for, as its header says (§7.2): "GRAY", "RGB " or "CMYK", among others; nil when the
    /// bytes are no profile.
    var colorSpace: FourCC? {
        let reader = ByteReader(bytes)
        return reader.has("acsp", at: 36) ? reader.fourCC(at: 16) : nil
    }

    /// Whether samples look different with the profile than without one, when they are taken for sRGB, or for gray
    /// with the tone curve of sRGB.
    ///
    /// lcms2 converts colours from all over to sRGB. The name of the profile plays no part: the many versions of sRGB
    /// have different names, and others are named after it.
    ///
    /// - Parameter isGray: whether the samples are gray rather than RGB.
    /// - Returns: false also for a profile that is broken or for other colours, which nobody can follow.
    public func changesColors(ofGray isGray: Bool) -> Bool {
        guard colorSpace == (isGray ? "GRAY" : "RGB ") else { return false }
        return isSRGB(isGray: isGray) == false
    }

    /// Whether the profile moves no colour by more than one level in 255: then it is sRGB by another name.
    ///
    /// - Returns: nil when lcms2 can make nothing of the profile.
    func isSRGB(isGray: Bool) -> Bool? {
        let kind = isGray ? clcms_gray : clcms_rgb
        guard let transform = ColorTransform(bytes, from: kind, to: kind, isGray: isGray, isExact: isGray) else {
            return nil
        }
        let probe = isGray ? ICCProfile.grays : ICCProfile.colors
        let moved = transform.apply(probe, pixels: probe.count / (isGray ? 1 : 3), count: probe.count)
        return zip(probe, moved).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// Every gray of 8 bits.
    private static let grays: [UInt8] = Array(0...255)

    /// Red, green and blue in 16 levels each, in all combinations.
    private static let colors: [UInt8] = {
        let levels = [UInt8](stride(from: 0, through: 255, by: 17))
        return levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
    }()
}
