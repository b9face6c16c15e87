/// Why a picture cannot be decoded, changed or encoded: a half sentence for a person, like "the PNG ends too early".
public struct PictureFault: Error, Hashable, Sendable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }
}
