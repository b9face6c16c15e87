/// Where black and white lie, and how bright the tones between them are.
public struct Tones: Hashable, Sendable {
    /// What becomes black, 0 to 1.
    public var black: Double
    /// What becomes white, 0 to 1, more than `black`.
    public var white: Double
    /// More than 1 brightens the tones between.
    public var gamma: Double

    public init(black: Double = 0, white: Double = 1, gamma: Double = 1) {
        self.black = black
        self.white = white
        self.gamma = gamma
    }

    /// Whether they leave every sample as it is.
    public var isNeutral: Bool { self == Tones() }
}
