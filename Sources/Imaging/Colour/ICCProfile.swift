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

    /// How many colorants samples of the profile's colours have; nil when the bytes are no profile, or one of other
    /// colours than gray, RGB and CMYK.
    public var colorants: Int? {
        switch colorSpace {
        case "GRAY": 1
        case "RGB ": 3
        case "CMYK": 4
        default: nil
        }
    }

    /// Whether samples look different with the profile than without one, when they are taken for sRGB, or for gray
    /// with the tone curve of sRGB.
    ///
    /// lcms2 converts colours from all over to sRGB. The name of the profile plays no part: the many versions of sRGB
    /// have different names, and others are named after it.
    ///
    /// - Parameter isGray: whether the samples are gray rather than RGB.
    /// - Returns: false also for a profile that is broken or for other colours, which nobody can follow.
    /// - Throws: `PictureFault` when there is not enough memory to tell.
    public func changesColors(ofGray isGray: Bool) throws(PictureFault) -> Bool {
        guard colorSpace == (isGray ? "GRAY" : "RGB ") else { return false }
        return try isSRGB(isGray: isGray) == false
    }

    /// Whether the profile moves no colour by more than one level in 255: then it is sRGB by another name.
    ///
    /// - Returns: nil when lcms2 can make nothing of the profile.
    /// - Throws: `PictureFault` when there is not enough memory.
    func isSRGB(isGray: Bool) throws(PictureFault) -> Bool? {
        let kind = isGray ? clcms_gray : clcms_rgb
        guard let transform = try ColorTransform(bytes, from: kind, to: kind, isGray: isGray, isExact: isGray) else {
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

/// A conversion of samples from a profile's colours to sRGB, by lcms2.
///
/// The intent is relative colorimetric with black point compensation: colours that sRGB has stay as they are, and
/// shades of dark ones are kept, which with profiles of paper and ink would otherwise all become black. That is what
/// programs for looking at pictures choose; perceptual tables differ from one maker of profiles to the next.
final class ColorTransform {
    private let handle: cmsHTRANSFORM
    private let context: cmsContext

    /// - Parameters:
    ///   - profile: for the colours that `format` has.
    ///   - format: lcms2's name of the samples given.
    ///   - output: lcms2's name of the samples wanted: gray, or RGB.
    ///   - isExact: whether to compute every pixel as the profile says, rather than from a table that is made first.
    ///   - isInverse: whether to convert sRGB to the profile's colours instead.
    /// - Returns: nil when lcms2 can make nothing of the profile.
    /// - Throws: `PictureFault` when there is not enough memory.
    init?(
        _ profile: [UInt8], from format: cmsUInt32Number, to output: cmsUInt32Number, isGray: Bool,
        isExact: Bool, isInverse: Bool = false
    ) throws(PictureFault) {
        // The context knows where this stands as long as it is used for making something, which is not after `init`.
        let wasRefused = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        wasRefused.initialize(to: false)
        defer { wasRefused.deallocate() }
        let lacksMemory = PictureFault("there is not enough memory to convert its colours", kind: .tooLarge)
        guard let context = clcms_context(wasRefused) else { throw lacksMemory }
        let handle = ColorTransform.transform(
            profile, from: format, to: output, isGray: isGray, isExact: isExact, isInverse: isInverse, context)
        if let handle, !wasRefused.pointee {
            (self.handle, self.context) = (handle, context)
            return
        }
        if let handle { cmsDeleteTransform(handle) }
        defer { cmsDeleteContext(context) }
        if wasRefused.pointee { throw lacksMemory }
        return nil
    }

    deinit {
        cmsDeleteTransform(handle)
        cmsDeleteContext(context)
    }

    private static func transform(
        _ profile: [UInt8], from format: cmsUInt32Number, to output: cmsUInt32Number, isGray: Bool, isExact: Bool,
        isInverse: Bool, _ context: cmsContext
    ) -> cmsHTRANSFORM? {
        guard let source = cmsOpenProfileFromMemTHR(context, profile, cmsUInt32Number(profile.count)) else {
            return nil
        }
        defer { cmsCloseProfile(source) }
        guard let target = isGray ? grayProfile(context) : cmsCreate_sRGBProfileTHR(context) else { return nil }
        defer { cmsCloseProfile(target) }
        var flags = cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) | cmsUInt32Number(cmsFLAGS_COPY_ALPHA)
        if isExact { flags |= cmsUInt32Number(cmsFLAGS_NOOPTIMIZE) }
        let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
        let (from, to) = isInverse ? (target, source) : (source, target)
        return cmsCreateTransformTHR(context, from, format, to, output, intent, flags)
    }

    /// Gray with the tone curve of sRGB (IEC 61966-2-1): what a program shows that takes gray for equal parts of red,
    /// green and blue.
    private static func grayProfile(_ context: cmsContext) -> cmsHPROFILE? {
        let curve = cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        defer { cmsFreeToneCurve(curve) }
        return cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve)
    }

    /// - Parameters:
    ///   - samples: whole pixels of the format given.
    ///   - pixels: how many they are.
    ///   - count: the bytes that they become.
    func apply(_ samples: [UInt8], pixels: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            // lcms2 counts pixels in 32 bits.
            let step = 1 << 24
            let (inStride, outStride) = (samples.count / max(1, pixels), count / max(1, pixels))
            samples.withUnsafeBytes { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                for start in stride(from: 0, to: pixels, by: step) {
                    cmsDoTransform(
                        handle, from + start * inStride, to + start * outStride,
                        cmsUInt32Number(min(step, pixels - start)))
                }
            }
            filled = count
        }
    }
}
