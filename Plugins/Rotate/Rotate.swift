public import AdapterKit
internal import OrderedWork
internal import PageModel

/// A transform that rotates pages by quarter turns: all alike, or each as its text shows.
public struct Rotate: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "rotate", summary: "rotates pages by quarter turns", extensions: [],
        settings: [
            Setting(
                "rotate", .form(form), valueName: "degrees", topic: "image",
                help: "Rotate every page clockwise: 90, 180 or 270; or auto",
                details:
                    "With auto, only pages on their side or head. Latin, Greek or Cyrillic letters show the way up, or tesseract if it is installed",
                effect: EffectRule(
                    unless: "no page was found on its side or head",
                    ifUnseen: "no page was found on its side or head among those that could be analyzed", for: "rotate")
            )
        ])

    private let tesseract: Tesseract?

    /// - Parameter tesseract: the program that is asked about pages whose letters do not show the way up; nil for none.
    public init(_ tesseract: Tesseract? = nil) {
        self.tesseract = tesseract
    }

    /// The value that stands for a rotation of each page by its text.
    private static let automatic = "auto"

    private static let form = ValueForm(
        "quarter turns", words: [automatic] + QuarterTurn.all.map { "\($0.degrees)" }
    ) { text in
        text == automatic || QuarterTurn(degrees: text) != nil
            ? nil : "--rotate takes 90, 180, 270 or auto, not '\(text)'"
    }

    public func passes(_ settings: Settings) -> [Pass] {
        guard let value = settings["rotate"] else { return [] }
        if let turn = QuarterTurn(degrees: value) {
            return [Pass(.turn, edits: [turn.edit], noting: [.option("rotate")])]
        }
        return [Pass(.turn) { sequence, request in try await turned(sequence, request) }]
    }

    private func turned(_ sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence {
        var result = sequence
        let pages = try await mapInOrder(sequence.pages, width: request.width) { page in
            let pixels = TextOrientationLimits.minimumPixels
            return switch try await request.look(at: page, pixels: pixels, as: .brightness, for: "rotate") {
            case .seen(let preview): BookOrientation.Page.seen(try await orientation(of: preview.raster, request))
            case .unseen(let reason, let damage, _): BookOrientation.Page.unseen(reason: reason, damage: damage)
            }
        }
        for (index, finding) in BookOrientation.findings(of: pages).enumerated() {
            if let turn = finding.turn {
                result.pages[index].edits.append(turn.edit)
                request.effects.note(option: "rotate")
            }
            result.pages[index].findings[OrientationFinding.self] = finding
        }
        return result
    }

    /// Returns the way up of a page, by its letters and by tesseract.
    private func orientation(of raster: Raster, _ request: TransformRequest) async throws -> TextOrientation {
        let own = TextOrientation(raster)
        // Asking takes longer than all the rest, so an upright page is believed.
        guard own.quarters != 0, let tesseract else { return own }
        return own.decided(by: try await tesseract.answer(about: raster, seconds: request.pageTimeout))
    }
}

/// A clockwise rotation that moves pixels without changing them.
struct QuarterTurn: Hashable {
    /// The number of quarters of a full turn, 1 to 3.
    let quarters: Int

    static let all = (1...3).map { QuarterTurn(quarters: $0) }

    /// A quarter turn, in degrees.
    private static let unit = 90

    var degrees: Int { quarters * QuarterTurn.unit }

    var edit: PageEdit { .move(.turn(quarters: quarters)) }
}

extension QuarterTurn {
    /// Makes the rotation by 90, 180 or 270 degrees; nil for any other text.
    init?(degrees text: String) {
        guard let turn = QuarterTurn.all.first(where: { "\($0.degrees)" == text }) else { return nil }
        self = turn
    }
}
