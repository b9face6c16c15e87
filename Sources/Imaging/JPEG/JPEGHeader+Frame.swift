extension JPEGHeader {
    /// How the frame is coded: the code of its start-of-frame marker (ITU-T T.81 table B.1; T.87 for JPEG-LS).
    public enum Frame: UInt8, Hashable, Sendable {
        case baseline = 0xC0
        case extended = 0xC1
        case progressive = 0xC2
        case lossless = 0xC3
        case differentialSequential = 0xC5
        case differentialProgressive = 0xC6
        case differentialLossless = 0xC7
        case arithmeticSequential = 0xC9
        case arithmeticProgressive = 0xCA
        case arithmeticLossless = 0xCB
        case arithmeticDifferentialSequential = 0xCD
        case arithmeticDifferentialProgressive = 0xCE
        case arithmeticDifferentialLossless = 0xCF
        /// JPEG-LS, which shares nothing with JPEG but its markers.
        case nearLossless = 0xF7
    }
}
