internal import CLCMS

/// Profiles for the calibrated colors of PDF (ISO 32000-1, 8.6.5), which state a gamma and a white point.
///
/// White is the color of the paper for every white point, as with the relative colorimetric intent.
extension ICCProfile {
    /// Makes the profile of a CalGray space.
    ///
    /// - Returns: nil if the numbers are impossible.
    package static func calibratedGray(gamma: Double) -> ICCProfile? {
        guard gamma > 0, gamma < 100 else { return nil }
        return made(cmsSigGrayData) { context, profile in
            let curve = cmsBuildGamma(context, gamma)
            defer { cmsFreeToneCurve(curve) }
            return cmsWriteTag(profile, cmsSigGrayTRCTag, UnsafeRawPointer(curve)) != 0
        }
    }

    /// Makes the profile of a CalRGB space.
    ///
    /// - Parameters:
    ///   - gammas: those of red, green and blue.
    ///   - matrix: X, Y and Z of red, then of green and of blue.
    ///   - white: X, Y and Z of the white point.
    /// - Returns: nil if the numbers are impossible.
    package static func calibratedRGB(gammas: [Double], matrix: [Double], white: [Double]) -> ICCProfile? {
        guard gammas.count == 3, matrix.count == 9, white.count == 3, gammas.allSatisfy({ $0 > 0 && $0 < 100 }),
            matrix.allSatisfy({ abs($0) < 100 }), white.allSatisfy({ $0 > 0 && $0 < 100 })
        else { return nil }
        return made(cmsSigRgbData) { context, profile in
            var source = cmsCIEXYZ(X: white[0], Y: white[1], Z: white[2])
            var target = cmsD50_XYZ().pointee
            let tags = [
                (cmsSigRedColorantTag, cmsSigRedTRCTag), (cmsSigGreenColorantTag, cmsSigGreenTRCTag),
                (cmsSigBlueColorantTag, cmsSigBlueTRCTag),
            ]
            return tags.indices.allSatisfy { index in
                var color = cmsCIEXYZ(X: matrix[3 * index], Y: matrix[3 * index + 1], Z: matrix[3 * index + 2])
                var adapted = cmsCIEXYZ()
                guard cmsAdaptToIlluminant(&adapted, &source, &target, &color) != 0 else { return false }
                let curve = cmsBuildGamma(context, gammas[index])
                defer { cmsFreeToneCurve(curve) }
                return cmsWriteTag(profile, tags[index].0, &adapted) != 0
                    && cmsWriteTag(profile, tags[index].1, UnsafeRawPointer(curve)) != 0
            }
        }
    }

    /// Makes a profile of a screen with the tags that `body` writes.
    private static func made(
        _ colors: cmsColorSpaceSignature, _ body: (cmsContext, cmsHPROFILE) -> Bool
    ) -> ICCProfile? {
        guard let context = cmsCreateContext(nil, nil) else { return nil }
        defer { cmsDeleteContext(context) }
        guard let profile = cmsCreateProfilePlaceholder(context) else { return nil }
        defer { cmsCloseProfile(profile) }
        // Version 2, which all programs know.
        cmsSetProfileVersion(profile, 2.1)
        cmsSetDeviceClass(profile, cmsSigDisplayClass)
        cmsSetColorSpace(profile, colors)
        cmsSetPCS(profile, cmsSigXYZData)
        cmsSetHeaderRenderingIntent(profile, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC))
        let text = cmsMLUalloc(context, 1)
        defer { cmsMLUfree(text) }
        guard cmsMLUsetASCII(text, "en", "US", "Calibrated colors of a PDF") != 0,
            cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(text)) != 0,
            cmsWriteTag(profile, cmsSigMediaWhitePointTag, UnsafeMutableRawPointer(mutating: cmsD50_XYZ())) != 0,
            body(context, profile)
        else { return nil }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { return nil }
        // The time of creation, so that equal spaces have equal profiles.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return ICCProfile(bytes)
    }
}
