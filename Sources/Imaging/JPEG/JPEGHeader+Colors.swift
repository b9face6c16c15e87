extension JPEGHeader {
    /// Whether three components are red, green and blue as they are, rather than YCbCr.
    ///
    /// libjpeg's rules: JFIF knows YCbCr only; then Adobe's segment decides, then what the components are called.
    public var hasRGBComponents: Bool {
        guard components.count == 3, !hasJFIF else { return false }
        if let adobeTransform { return adobeTransform == 0 }
        return components.map(\.id) == "RGB".utf8.map(Int.init)
    }
}
