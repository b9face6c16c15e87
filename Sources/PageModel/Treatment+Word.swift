extension Treatment {
    /// The treatment in a message.
    public var word: Message {
        switch self {
        case .verbatim: "verbatim"
        case .lossless: "lossless"
        case .patched: "patched"
        case .encoded: "encoded"
        case .drawn: "rendered"
        }
    }
}
