/// Why a page's picture cannot be had as it is: finishes the sentence "drawn because …".
struct Refusal: Error {
    let reason: String
    /// Whether the file is damaged, so that drawing may not give the whole page either.
    let isDamage: Bool

    init(_ reason: String, isDamage: Bool = false) {
        self.reason = reason
        self.isDamage = isDamage
    }
}
