extension JPEGHeader {
    /// See `EncodedPicture.saysItWasMerged`.
    public var saysItWasMerged: Bool { mergeMark != nil }

    /// See `EncodedPicture.joinKey`; nil while not all that it takes is known.
    ///
    /// Coefficients mean the same in two files when the tables they were divided by, the sampling and the colour space
    /// are the same. What they are shown as depends on the profile, too.
    ///
    /// - Parameter profile: the ICC profile that it will have.
    public func joinKey(profile: [UInt8]?) -> Int? {
        guard grid != nil, scanOffset != nil else { return nil }
        var hasher = Hasher()
        for component in components {
            guard let table = tables[component.quantisationTable] else { return nil }
            hasher.combine(table)
            // A sole component is stored block by block, whatever its factors say.
            hasher.combine(components.count == 1 ? 1 : component.horizontal)
            hasher.combine(components.count == 1 ? 1 : component.vertical)
        }
        hasher.combine(hasRGBComponents)
        hasher.combine(adobeTransform == 2)
        hasher.combine(profile)
        return hasher.finalize()
    }
}
