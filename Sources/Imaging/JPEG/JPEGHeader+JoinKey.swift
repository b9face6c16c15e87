public import PageModel

extension JPEGHeader {
    /// See `EncodedPicture.saysItWasMerged`.
    public var saysItWasMerged: Bool { mergeMark != nil }

    /// See `EncodedPicture.joinKey`; nil while not all that it takes is known.
    ///
    /// Coefficients mean the same in two files when the tables they were divided by, the sampling and the colour space
    /// are the same. What they are shown as depends on the profile, too.
    ///
    /// - Parameter profile: the ICC profile that it will have.
    public func joinKey(profile: [UInt8]?) -> JoinKey? {
        guard grid != nil, scanOffset != nil else { return nil }
        var description = [UInt8(components.count)]
        for component in components {
            guard let table = tables[component.quantisationTable] else { return nil }
            description += table.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            // A sole component is stored block by block, whatever its factors say.
            let factors = components.count == 1 ? [1, 1] : [component.horizontal, component.vertical]
            description += factors.map { UInt8($0) }
        }
        description += [hasRGBComponents, adobeTransform == 2, profile != nil].map { $0 ? 1 : 0 }
        return JoinKey(rawValue: SHA256.hexDigest(of: description + (profile ?? [])))
    }
}
