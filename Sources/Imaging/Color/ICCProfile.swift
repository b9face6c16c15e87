internal import CLCMS
internal import PageModel
internal import Synchronization

/// An ICC color profile (ICC.1), with a check whether it changes the appearance of samples.
package struct ICCProfile: Sendable {
    /// The profile file, as it is embedded in images.
    package let bytes: [UInt8]

    /// - Parameter bytes: the bytes of a profile; invalid ones change nothing.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The color space in the header (§7.2): "GRAY", "RGB " or "CMYK", among others; nil if the bytes are not a profile.
    var colorSpace: FourCC? {
        let reader = ByteReader(bytes)
        return reader.has("acsp", at: 36) ? reader.fourCC(at: 16) : nil
    }

    /// The number of colorants of the profile's colors; nil if the bytes are not a profile of gray, RGB or CMYK.
    package var colorants: Int? {
        switch colorSpace {
        case "GRAY": 1
        case "RGB ": 3
        case "CMYK": 4
        default: nil
        }
    }

    /// Whether samples look different with the profile than as sRGB, or as gray with the tone curve of sRGB. A profile that is
    /// invalid or for other colors changes nothing, because it cannot be applied.
    ///
    /// Sample colors from the whole range are converted to sRGB by lcms2. The many versions of sRGB have different names, and
    /// other profiles are named after it. So the profile's name is ignored.
    ///
    /// - Parameter isGray: whether the samples are gray rather than RGB.
    /// - Throws: `PictureFault` if memory is short.
    package func changesColors(ofGray isGray: Bool) throws(PictureFault) -> Bool {
        guard colorSpace == (isGray ? "GRAY" : "RGB ") else { return false }
        return try isSRGB(isGray: isGray) == false
    }

    /// Whether the profile changes every color by at most one level in 255. It is then sRGB by another name.
    ///
    /// - Returns: nil if lcms2 cannot use the profile.
    /// - Throws: `PictureFault` if memory is short.
    func isSRGB(isGray: Bool) throws(PictureFault) -> Bool? {
        // The pages of a book have the same profile, and the comparison takes longer than all else in a page's header.
        let question = Question(bytes: bytes, isGray: isGray)
        if let last = ICCProfile.last.withLock({ $0 }), last.question == question { return last.answer }
        let answer = try comparison(isGray: isGray)
        ICCProfile.last.withLock { $0 = (question, answer) }
        return answer
    }

    private struct Question: Equatable {
        let bytes: [UInt8]
        let isGray: Bool
    }

    /// The last answer of `isSRGB`.
    private static let last = Mutex<(question: Question, answer: Bool?)?>(nil)

    /// Compares the profile with sRGB.
    private func comparison(isGray: Bool) throws(PictureFault) -> Bool? {
        let kind = isGray ? clcms_gray : clcms_rgb
        guard let transform = try ColorTransform(bytes, from: kind, to: kind, isGray: isGray, isExact: isGray) else {
            return nil
        }
        let probe = isGray ? ICCProfile.grays : ICCProfile.colors
        let moved = transform.apply(probe, pixels: probe.count / (isGray ? 1 : 3), count: probe.count)
        return zip(probe, moved).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// All gray levels of 8 bits.
    private static let grays: [UInt8] = Array(0...255)

    /// Red, green and blue in 16 levels each, in all combinations.
    private static let colors: [UInt8] = {
        let levels = [UInt8](stride(from: 0, through: 255, by: 17))
        return levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
    }()
}

/// A conversion of samples from a profile's colors to sRGB, through lcms2.
///
/// The intent is relative colorimetric with black point compensation. Colors within sRGB stay as they are, and dark shades are
/// kept; with profiles of paper and ink they would all become black. Image viewers use the same intent; perceptual tables differ
/// between makers of profiles.
final class ColorTransform {
    private let handle: cmsHTRANSFORM
    private let context: cmsContext

    /// The result is nil if lcms2 cannot use the profile. The formats are lcms2's names of samples; the output is gray or RGB.
    ///
    /// - Parameters:
    ///   - isExact: whether to compute every pixel from the profile. Otherwise a precomputed table is used.
    ///   - isInverse: whether to convert sRGB to the profile's colors instead.
    /// - Throws: `PictureFault` if memory is short.
    init?(
        _ profile: [UInt8], from format: cmsUInt32Number, to output: cmsUInt32Number, isGray: Bool,
        isExact: Bool, isInverse: Bool = false
    ) throws(PictureFault) {
        // The context uses this address only while it creates something, which ends with `init`.
        let wasRefused = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        wasRefused.initialize(to: false)
        defer { wasRefused.deallocate() }
        let lacksMemory = PictureFault("out of memory while converting its colors", kind: .tooLarge)
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

    /// Creates a conversion from CIE L*a*b* to sRGB. The result is nil if lcms2 cannot make it.
    init?(labTo output: cmsUInt32Number, from format: cmsUInt32Number) throws(PictureFault) {
        let context = cmsCreateContext(nil, nil)
        guard let context, let lab = cmsCreateLab4ProfileTHR(context, nil) else {
            throw PictureFault("out of memory while converting its colors", kind: .tooLarge)
        }
        defer { cmsCloseProfile(lab) }
        guard let target = cmsCreate_sRGBProfileTHR(context) else {
            cmsDeleteContext(context)
            return nil
        }
        defer { cmsCloseProfile(target) }
        let flags = cmsUInt32Number(cmsFLAGS_NOOPTIMIZE) | cmsUInt32Number(cmsFLAGS_COPY_ALPHA)
        guard
            let handle = cmsCreateTransformTHR(
                context, lab, format, target, output, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        (self.handle, self.context) = (handle, context)
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

    /// Returns gray with the tone curve of sRGB (IEC 61966-2-1).
    ///
    /// Programs that treat gray as equal parts of red, green and blue show it in this way.
    private static func grayProfile(_ context: cmsContext) -> cmsHPROFILE? {
        let curve = cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        defer { cmsFreeToneCurve(curve) }
        return cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve)
    }

    /// - Parameters:
    ///   - samples: whole pixels of the input format.
    ///   - pixels: the number of pixels.
    ///   - count: the number of output bytes.
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
