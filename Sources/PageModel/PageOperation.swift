/// An operation that changes the pixels of a page's image, as data.
///
/// A plug-in defines the operation, adds it to the edits of pages as `PageEdit.change`, and describes it in reports. An
/// operation needs an id, a note and `apply`. By default it changes each pixel in its place and keeps the size.
///
/// Pages are decoded before their first operation and encoded after their last. Operations get the whole raster,
/// because decoders and encoders hold it in memory.
///
/// The protocol is in this module because pages contain operations.
public protocol PageOperation: Hashable, Sendable {
    /// The name of the operation: that of the option which requests it.
    static var id: String { get }

    /// The options that request the operation, for messages and for the proof that an option did something.
    var options: [String] { get }

    /// The description of the operation in reports.
    var note: Note { get }

    /// The frame into which the image is scaled; nil if it keeps its size.
    var box: FitBox? { get }

    /// Returns the position of a point after the operation. Points are shares of the page.
    ///
    /// - Parameter size: the size of the page before the operation.
    func place(of point: PagePoint, on size: PixelSize) -> PagePoint

    /// Returns whether the operation would change nothing.
    ///
    /// - Parameters:
    ///   - size: the size of the image.
    ///   - isGray: whether the image is known to be grayscale.
    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool

    /// Whether the result is always grayscale.
    var makesGray: Bool { get }

    /// Whether a grayscale image stays grayscale.
    var keepsGray: Bool { get }

    /// Whether the result has the format of the pixels before, or one that takes no more memory.
    var keepsFormat: Bool { get }

    /// The number of gray levels of the result, if only a lossless encoding keeps them; nil for any number.
    var grayLevels: Int? { get }

    /// Whether the result has print in pure black on pure white, and no other pixel of these levels.
    ///
    /// An output may then store print and images in layers.
    var separatesPrint: Bool { get }

    /// Whether text is recognized better after the operation: it corrects the scan. It must keep the size then.
    var makesLegible: Bool { get }

    /// Whether the operation means the same for a merged page and for each of its parts.
    var isSameForParts: Bool { get }

    /// Whether it fills corners or sides of the result with paper, because it rotates or bends the page.
    var fillsCorners: Bool { get }

    /// The number of further copies that the operation holds of the old or of the new pixels.
    var workingCopies: Int { get }

    /// The number of further bytes for each pixel that the operation holds. The format of the pixels does not change it.
    var workingBytes: Int { get }

    /// Whether the image may be scaled down before the operation instead of after it. The operation then has fewer pixels to
    /// change.
    ///
    /// Such an operation keeps the size, and depends on places only as shares of the page.
    var mayFollowScaling: Bool { get }

    /// The pages whose pixels the operation needs, such as the other side of the leaf, by `Page.id`.
    var otherPages: [Int] { get }

    /// Returns the changed image, of the size that `size(after:)` returns.
    ///
    /// - Throws: `PictureFault` if the pixels cannot be changed.
    func apply(to raster: Raster) async throws -> Raster

    /// Returns the changed image from one that was already scaled to the size that `size(after:)` returns.
    func apply(toScaled raster: Raster) async throws -> Raster

    /// Returns the changed image by the pixels of `otherPages`; see `apply(to:)`.
    func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster

    /// Returns the changed preview: gray, and smaller than the image.
    func preview(of raster: Raster) async throws -> Raster
}

extension PageOperation {
    public var options: [String] { [Self.id] }

    public var box: FitBox? { nil }

    public func place(of point: PagePoint, on size: PixelSize) -> PagePoint { point }

    public func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { box != nil && self.size(after: size) == size }

    public var makesGray: Bool { false }

    public var keepsGray: Bool { true }

    public var keepsFormat: Bool { false }

    public var grayLevels: Int? { nil }

    public var separatesPrint: Bool { false }

    public var makesLegible: Bool { false }

    public var isSameForParts: Bool { false }

    public var fillsCorners: Bool { false }

    public var workingCopies: Int { 0 }

    public var workingBytes: Int { 0 }

    public var mayFollowScaling: Bool { false }

    public var otherPages: [Int] { [] }

    public func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster {
        try await apply(to: raster)
    }

    public func apply(toScaled raster: Raster) async throws -> Raster { raster }

    public func preview(of raster: Raster) async throws -> Raster { try await apply(to: raster) }

    /// Returns the size of an image of `size` after the operation.
    public func size(after size: PixelSize) -> PixelSize { box?.size(for: size) ?? size }
}

/// The pixels of other pages of the book, for an operation that needs them.
public protocol OtherPages: Sendable {
    /// Returns the pixels of a page in the state in which an operation sees those of its own page.
    ///
    /// These are the pixels before the operation of the same kind, or after all edits of a page without one.
    ///
    /// - Parameter id: one of the operation's `otherPages`.
    /// - Throws: the error of reading the page, or that the book has no such page.
    func raster(of id: Int, before operation: any PageOperation) async throws -> Raster
}
