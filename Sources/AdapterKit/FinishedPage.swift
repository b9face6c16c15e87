public import PageModel

/// A page ready to be written.
public struct FinishedPage: Sendable {
    /// The page's place in the output, from 1.
    public var number: Int
    public var page: Page
    public var encoding: ImageEncoding
    public var size: PixelSize?
    public var bytes: [UInt8]

    public init(number: Int, page: Page, encoding: ImageEncoding, size: PixelSize?, bytes: [UInt8]) {
        self.number = number
        self.page = page
        self.encoding = encoding
        self.size = size
        self.bytes = bytes
    }
}
