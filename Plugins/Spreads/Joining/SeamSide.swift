/// One edge of a page made ready to be compared with others.
struct SeamSide: Sendable {
    /// For every gap, what would be seen in its middle; empty where nothing is drawn.
    let signals: [EdgeSignals]
    /// How much the page's own columns agree over every gap, at every scale.
    let joinKey: [[Float]]
    let frames: [Bool]
    let doubt: EdgeDoubt

    /// - Parameter isMirrored: whether it is a left edge, whose strokes run towards the edge the other way round.
    init(_ profile: EdgeProfile, isMirrored: Bool) {
        signals = zip(profile.levels, profile.slants).map { levels, slants in
            EdgeSignals(levels.map { Float($0) }, slants: slants.map { Float(isMirrored ? -$0 : $0) / 127 })
        }
        joinKey = profile.joinKey
        frames = profile.frames
        doubt = profile.doubt
    }
}
