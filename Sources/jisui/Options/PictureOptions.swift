internal import ArgumentParser
internal import PageModel

/// What may be asked of every page's picture.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Cut this off each page, in pixels or percent: one length for all sides, two (top and bottom, sides), or four (top, right, bottom, left). JPEGs are cut without loss.",
            valueName: "lengths"))
    var crop: String?

    @Option(
        help: ArgumentHelp("Turn each page clockwise: 90, 180 or 270. It is cropped first.", valueName: "degrees"),
        completion: .list(["90", "180", "270"]))
    var rotate: Int?

    @Flag(help: "Fail at the first page that would have to be encoded anew or drawn.")
    var lossless = false

    func validate() throws {
        if let crop, PictureOptions.insets(crop) == nil {
            throw ValidationError("--crop takes lengths like 40 or 5%, one, two or four of them, not '\(crop)'")
        }
        if let rotate, ![90, 180, 270].contains(rotate) {
            throw ValidationError("--rotate takes 90, 180 or 270, not '\(rotate)'")
        }
    }

    /// The edits that the options stand for.
    var edits: [Edit] {
        let insets = crop.flatMap(PictureOptions.insets).map { Edit.inset($0) }
        let turn = rotate.map { Edit.turn(quarters: $0 / 90) }
        return [insets, turn].compactMap { $0 }
    }

    /// As in CSS: one length is for all sides, two are for top and bottom and for the sides.
    private static func insets(_ text: String) -> Insets? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let lengths = parts.compactMap(length)
        guard lengths.count == parts.count else { return nil }
        switch lengths.count {
        case 1: return Insets(top: lengths[0], right: lengths[0], bottom: lengths[0], left: lengths[0])
        case 2: return Insets(top: lengths[0], right: lengths[1], bottom: lengths[0], left: lengths[1])
        case 4: return Insets(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
        default: return nil
        }
    }

    private static func length(_ text: Substring) -> Insets.Length? {
        if text.hasSuffix("%") {
            guard let share = Double(text.dropLast()), (0..<100).contains(share) else { return nil }
            return .percent(share)
        }
        let digits = text.hasSuffix("px") ? text.dropLast(2) : text
        guard let count = Int(digits), (0...1_000_000).contains(count) else { return nil }
        return .pixels(count)
    }
}
