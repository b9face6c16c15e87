import CLCMS
import Imaging
import PageModel
import Scratch
import Testing

/// Profiles made by lcms2, named so that their names say the wrong thing.
@Suite struct ICCProfileTests {
    private struct NotMade: Error {}

    /// The primaries of sRGB (ITU-R BT.709) and of Display P3 (SMPTE EG 432-1), as xy.
    private static let rec709 = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
    private static let p3 = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
    private static let srgbCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

    private static func bytes(of profile: cmsHPROFILE, named name: String, version: Double) throws -> [UInt8] {
        cmsSetProfileVersion(profile, version)
        let text = cmsMLUalloc(nil, 1)
        defer { cmsMLUfree(text) }
        guard let text, cmsMLUsetASCII(text, "en", "US", name) != 0,
            cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(text)) != 0
        else { throw NotMade() }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { throw NotMade() }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { throw NotMade() }
        return bytes
    }

    private static func withCurve<Result>(
        _ curve: OpaquePointer?, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let curve = try #require(curve)
        defer { cmsFreeToneCurve(curve) }
        return try body(curve)
    }

    private static func rgb(
        _ name: String, primaries: [(Double, Double)] = rec709, version: Double = 4.3,
        _ curve: OpaquePointer?
    ) throws -> [UInt8] {
        try withCurve(curve) { curve in
            var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
            let colors = primaries.map { cmsCIExyY(x: $0.0, y: $0.1, Y: 1) }
            var triple = cmsCIExyYTRIPLE(Red: colors[0], Green: colors[1], Blue: colors[2])
            var curves: [OpaquePointer?] = [curve, curve, curve]
            let profile = try #require(cmsCreateRGBProfile(&white, &triple, &curves))
            defer { cmsCloseProfile(profile) }
            return try bytes(of: profile, named: name, version: version)
        }
    }

    private static func gray(_ name: String, _ curve: OpaquePointer?) throws -> [UInt8] {
        try withCurve(curve) { curve in
            let profile = try #require(cmsCreateGrayProfile(cmsD50_xyY(), curve))
            defer { cmsCloseProfile(profile) }
            return try bytes(of: profile, named: name, version: 2.1)
        }
    }

    private static func parametric() -> OpaquePointer? {
        cmsBuildParametricToneCurve(nil, 4, srgbCurve)
    }

    /// The curve of sRGB as a table, which version 2 of the format has to use.
    private static func tabulated(_ count: Int) throws -> OpaquePointer? {
        try withCurve(parametric()) { curve in
            let table = (0..<count).map { index in
                cmsEvalToneCurve16(curve, UInt16(index * 65_535 / (count - 1)))
            }
            return cmsBuildTabulatedToneCurve16(nil, UInt32(count), table)
        }
    }

    @Test func profilesEquivalentToSRGBChangeNoColors() throws {
        let own = try #require(cmsCreate_sRGBProfile())
        defer { cmsCloseProfile(own) }
        let profiles = [
            try Self.bytes(of: own, named: "Display P3", version: 4.3),
            try Self.rgb("Linear", Self.parametric()),
            try Self.rgb("Adobe RGB (1998)", version: 2.1, Self.tabulated(1024)),
            try Self.rgb("Wide", version: 2.1, Self.tabulated(4096)),
            try Fixture.bytes("made/srgb.icc"),
        ]
        for (index, profile) in profiles.enumerated() {
            #expect(try !ICCProfile(profile).changesColors(ofGray: false), "profile \(index)")
        }
        #expect(try !ICCProfile(Self.gray("Dot Gain 20%", Self.parametric())).changesColors(ofGray: true))
    }

    @Test func profilesOnlyNamedSRGBChangeColors() throws {
        let profiles = [
            try Self.rgb("Linear sRGB", cmsBuildGamma(nil, 1)),
            try Self.rgb("sRGB, gamma 2.2", cmsBuildGamma(nil, 2.2)),
            try Self.rgb("sRGB, gamma 1.8", version: 2.1, cmsBuildGamma(nil, 1.8)),
            try Self.rgb("sRGB P3", primaries: Self.p3, Self.parametric()),
            try Fixture.bytes("made/wide.icc"),
        ]
        for (index, profile) in profiles.enumerated() {
            #expect(try ICCProfile(profile).changesColors(ofGray: false), "profile \(index)")
        }
        for gamma in [1, 1.8, 2.2] {
            #expect(try ICCProfile(Self.gray("sGray", cmsBuildGamma(nil, gamma))).changesColors(ofGray: true))
        }
    }

    @Test func unusableProfilesChangeNoColors() throws {
        let wide = try Fixture.bytes("made/wide.icc")
        #expect(try !ICCProfile(wide).changesColors(ofGray: true))
        #expect(try !ICCProfile(Fixture.bytes("made/cmyk.icc")).changesColors(ofGray: false))
        for count in [0, 1, 100, 128, 200] {
            #expect(try !ICCProfile(Array(wide.prefix(count))).changesColors(ofGray: false), "\(count) bytes")
        }
        var random = SplitMix(seed: 5)
        for _ in 0..<200 {
            var copy = wide
            for _ in 0..<3 {
                copy[Int.random(in: 0..<copy.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = try ICCProfile(copy).changesColors(ofGray: false)
        }
    }
}
