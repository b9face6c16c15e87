/// The paper of a page that is laid out rather than a plain picture: PDF's page boxes.
public struct Paper: Hashable, Sendable {
    /// A box as PDF counts it: left, bottom, right, top, in units of the page, y upwards.
    public typealias Box = [Double]

    /// The whole medium.
    public var mediaBox: Box
    /// What is shown when nothing else is asked for.
    public var cropBox: Box
    /// Degrees the page is turned clockwise: 0, 90, 180 or 270.
    public var rotation: Int
    /// The size of a unit in points of 1/72 inch.
    public var userUnit: Double

    public init(mediaBox: Box, cropBox: Box, rotation: Int, userUnit: Double) {
        self.mediaBox = mediaBox
        self.cropBox = cropBox
        self.rotation = rotation
        self.userUnit = userUnit
    }
}
