/// The place at which an output will appear.
public struct Destination: Sendable {
    public var path: String
    /// Whether an existing file or folder there may be replaced.
    public var mayReplace: Bool
    /// The list of files that have temporary names while the output is written.
    public var temporaryFiles: TemporaryFiles
    /// Whether the output goes to standard output; the path is then its name in messages.
    public internal(set) var isStandardOutput = false
    /// The holder for the complete output before it appears; nil if it appears at once.
    public var held: HeldOutput?
    /// The receiver of the bytes for standard output, which cannot be read back; nil if they are not needed.
    public var observer: (@Sendable ([UInt8]) -> Void)?

    public init(path: String, mayReplace: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles()) {
        self.path = path
        self.mayReplace = mayReplace
        self.temporaryFiles = temporaryFiles
    }
}
