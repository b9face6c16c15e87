internal import CLCMS
internal import PageModel

internal import func Glibc.exp
internal import func Glibc.pow

/// Colors that numbers describe in place of a profile.
///
/// They are gAMA and cHRM in a PNG, and code points of ITU-T H.273 in a PNG, an AVIF or HEIF.
struct DescribedColors: Equatable {
    enum Curve: Equatable {
        case sRGB
        /// The exponent with which samples become light.
        case gamma(Double)
        /// Light that may be brighter than paper: SMPTE ST 2084 and ARIB STD-B67. Whatever is brighter becomes white.
        case perceptualQuantizer
        case hybridLogGamma
    }

    /// The chromaticities x and y of white, red, green and blue.
    var primaries: [Double]
    var curve: Curve

    /// White, red, green and blue of sRGB (IEC 61966-2-1).
    static let sRGB = [0.3127, 0.3290, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060]

    /// The chromaticities of H.273, table 2.
    private static let knownPrimaries: [Int: [Double]] = [
        1: sRGB, 4: [0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
        5: [0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06],
        6: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
        7: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
        8: [0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049],
        9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046],
        11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
        12: [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
        22: [0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077],
    ]

    /// The transfer characteristics of H.273, table 3. Browsers show the curves of television like that of sRGB.
    private static let knownCurves: [Int: Curve] = [
        1: .sRGB, 6: .sRGB, 11: .sRGB, 12: .sRGB, 13: .sRGB, 14: .sRGB, 15: .sRGB, 4: .gamma(2.2), 5: .gamma(2.8),
        8: .gamma(1), 16: .perceptualQuantizer, 18: .hybridLogGamma,
    ]

    init(primaries: [Double], curve: Curve) {
        (self.primaries, self.curve) = (primaries, curve)
    }

    /// - Returns: nil for unspecified and unknown code points.
    init?(primaries: Int, transfer: Int) {
        guard let primaries = DescribedColors.knownPrimaries[primaries],
            let curve = DescribedColors.knownCurves[transfer]
        else { return nil }
        self.init(primaries: primaries, curve: curve)
    }

    /// The loss of showing the colors through a profile; nil if the profile holds all of them.
    var loss: Message? {
        switch curve {
        case .sRGB, .gamma: nil
        case .perceptualQuantizer, .hybridLogGamma: "converted from HDR: light brighter than paper became white"
        }
    }

    /// The differences that do not show: libpng's limits, of exponents as a share, and of chromaticities.
    private static let (exponentSlack, chromaticitySlack) = (0.05, 0.001)

    private var isSRGB: Bool {
        let isPlain =
            switch curve {
            case .sRGB: true
            case .gamma(let exponent): abs(exponent / 2.2 - 1) <= DescribedColors.exponentSlack
            default: false
            }
        return isPlain && hasOrdinaryPrimaries
    }

    private var hasOrdinaryPrimaries: Bool {
        zip(primaries, DescribedColors.sRGB).allSatisfy { abs($0 - $1) <= DescribedColors.chromaticitySlack }
    }

    /// Returns an ICC profile of these colors; nil for sRGB, and if the numbers make no sense.
    func profile(ofGray isGray: Bool) -> [UInt8]? {
        guard !isSRGB, primaries.count == 8, primaries.allSatisfy({ (0.0...1.0).contains($0) }),
            [1, 3, 5, 7].allSatisfy({ primaries[$0] > 0 }), let tone = toneCurve
        else { return nil }
        defer { cmsFreeToneCurve(tone) }
        func color(_ place: Int) -> cmsCIExyY { cmsCIExyY(x: primaries[place], y: primaries[place + 1], Y: 1) }
        var white = color(0)
        var triple = cmsCIExyYTRIPLE(Red: color(2), Green: color(4), Blue: color(6))
        var curves: [OpaquePointer?] = [tone, tone, tone]
        let made = isGray ? cmsCreateGrayProfile(&white, tone) : cmsCreateRGBProfile(&white, &triple, &curves)
        guard let made else { return nil }
        defer { cmsCloseProfile(made) }
        cmsSetProfileVersion(made, 2.1)
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(made, nil, &count) != 0 else { return nil }
        var profile = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(made, &profile, &count) != 0, profile.count >= 128 else { return nil }
        // The date of now would make each output differ (ICC.1, 7.2.8).
        profile.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return profile
    }

    private var toneCurve: OpaquePointer? {
        switch curve {
        case .sRGB: cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .gamma(let exponent): (0.1...10).contains(exponent) ? cmsBuildGamma(nil, exponent) : nil
        case .perceptualQuantizer: DescribedColors.table(DescribedColors.perceptualLight)
        case .hybridLogGamma: DescribedColors.table(DescribedColors.hybridLight)
        }
    }

    private static func table(_ light: (Double) -> Double) -> OpaquePointer? {
        let last = 4095
        let levels = (0...last).map {
            UInt16(Int(clamping: (light(Double($0) / Double(last)) * 65_535).rounded(), to: 0...65_535))
        }
        return cmsBuildTabulatedToneCurve16(nil, cmsUInt32Number(levels.count), levels)
    }

    /// The light of paper in nits (ITU-R BT.2408), and that of the highest signal.
    private static let (paper, peak) = (203.0, 10_000.0)

    /// Returns light relative to paper (SMPTE ST 2084).
    private static func perceptualLight(_ signal: Double) -> Double {
        let (c1, c2, c3) = (0.8359375, 18.8515625, 18.6875)
        let power = pow(signal, 1 / 78.84375)
        return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / 0.1593017578125) * peak / paper
    }

    /// Returns light relative to paper, which has three quarters of the signal (ARIB STD-B67, ITU-R BT.2408).
    private static func hybridLight(_ signal: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        func light(_ signal: Double) -> Double {
            signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
        }
        return light(signal) / light(0.75)
    }
}
