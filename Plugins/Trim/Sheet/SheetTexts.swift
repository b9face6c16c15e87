internal import PageModel

/// The texts of the contact sheet that no page needs by itself.
enum SheetTexts {
    static func title(_ book: String) -> Message { "\(book): trimming" }
    static let kept: Message = "kept"
    static let cut: Message = "cut off"
    static let analysis: Message = "Show the analysis"
    /// The boxes of the analysis, by their classes.
    static let boxes: [(kind: String, text: Message)] = [
        ("content", "print found"), ("number", "page number"), ("head", "running head"), ("sheet", "edge of the paper"),
    ]

    static func rotated(by degrees: Double) -> Message { "rotated by \(degrees)°" }
    static func skew(_ degrees: Double) -> Message { "skew of \(degrees)°" }
    static func sure(_ percent: Int, _ doubt: Message?) -> Message {
        guard let doubt else { return "\(percent)\u{A0}% sure" }
        return "\(percent)\u{A0}% sure: \(doubt)"
    }

    /// The texts of the script, by the names that it uses.
    static let ofScript: [(key: String, text: Message)] = [
        ("mouse", "Click a page to see its pixels. Drag a side or a corner of a blue box to correct it."),
        (
            "keyboard",
            "Keys: N goes to the next doubtful page and Tab to the next page. An arrow moves the side of its name, "
                + "and with Shift the opposite side. W keeps the whole page. Escape restores the proposed box."
        ),
        ("touch", "Tap a page to see its pixels. There, drag a side or a corner of the blue box to correct it."),
        ("next", "Next doubtful ({0} of {1})"), ("first", "First doubtful (of {0})"),
        ("sure", "No page is doubtful."),
        ("save", "Save the boxes"), ("close", "Close"), ("whole", "Whole page"),
        ("proposed", "Proposed box"), ("corrected", "Corrected: "),
        ("page", "page {0}: keeps {1} × {2} pixels at {3}, {4}"), ("all", "page {0}: keeps the whole page"),
        ("one", "1 page is corrected"), ("many", "{0} pages are corrected"),
        ("saved", "saved as {0}: give it with --trim-file, and the same options as for this sheet"),
    ]
}
