/// Why a page's picture cannot be had as it is: finishes the sentence "drawn because …".
struct Refusal: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
