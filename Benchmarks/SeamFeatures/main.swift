// Prints the features of `SeamEvidence` for all pages that follow each other: SeamFeatures ltr|rtl INPUT
//
// `seam_evidence.py` fits the weights of these features. The first line has their names; each further line is one pair
// of pages. A pair whose edges show nothing has no features, because jisui never compares it.

import AdapterKit
import ArchiveSource
import Audit
import Conversion
import Files
import FolderSink
import FolderSource
import PageModel

@testable import Spreads

/// A transform that changes nothing, and prints the features of pages as `Spreads` computes them.
struct FeatureList: PageTransform {
    let descriptor = AdapterDescriptor(
        id: "seam-features", summary: "prints the features of pages that follow each other", extensions: [],
        settings: [])

    private static let features: [(name: String, value: @Sendable (SeamEvidence) -> Float)] = [
        ("strokes", { $0.strokes }), ("middle", { $0.middle }), ("large", { $0.large }), ("slants", { $0.slants }),
        ("slantPeak", { $0.slantPeak }), ("closeness", { $0.closeness }), ("places", { $0.places }),
        ("sum", { $0.sum }),
    ]

    func passes(_ settings: Settings) -> [Pass] { [Pass(.join) { try await FeatureList.printed($0, $1) }] }

    private static func printed(_ sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence {
        let sized = try await SizedPage.all(sequence.pages, width: request.width)
        let pages = try await PageEdges.all(sized, wideRatio: SpreadOptions.usualRatio, request)
        print((["first", "second", "deduction"] + FeatureList.features.map(\.name)).joined(separator: "\t"))
        for (place, (one, two)) in zip(pages, pages.dropFirst()).enumerated() {
            guard let one, let two else { continue }
            let (left, right) = sequence.direction == .leftToRight ? (one, two) : (two, one)
            let sides = (SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
            var values = ["\(sequence.pages[place].id)", "\(sequence.pages[place + 1].id)"]
            if min(sides.0.uncertainty.contrast, sides.1.uncertainty.contrast) > SeamLimits.Uncertainty.plain {
                let evidence = SeamEvidence(sides.0, sides.1)
                values.append("\(max(sides.0.uncertainty.odds, sides.1.uncertainty.odds))")
                values += FeatureList.features.map { "\($0.value(evidence))" }
            }
            print(values.joined(separator: "\t"))
        }
        return sequence
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, ["ltr", "rtl"].contains(arguments[1]) else {
    throw AdapterError(.usage, "usage: SeamFeatures ltr|rtl INPUT")
}
let registry = Registry(
    sources: [ArchiveSource(), FolderSource()], transforms: [FeatureList()], sinks: [FolderSink()])
let job = Job(
    inputs: [Input(path: arguments[2])], sink: "folder", destination: Destination(path: "\(arguments[2]).features"),
    direction: arguments[1] == "ltr" ? .leftToRight : .rightToLeft, isDryRun: true)
_ = try await Conversion(registry, job).run()
