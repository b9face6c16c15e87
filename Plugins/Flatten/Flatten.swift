public import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedWork
public import PageModel

/// A transform that dewarps pages whose lines of text are curved, for example near a binding.
///
/// The pipeline: `Letters` finds possible letters, and `TextLines` follows them along lines. Both are in the module LayoutAnalysis.
/// `LineSurface` computes the deformation that makes the lines straight and level. `PageCurve` checks whether the lines agree about it. `FlatteningMaker`
/// computes the mesh by which pixels are moved.
public struct Flatten: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "flatten", summary: "dewarps curved pages", extensions: [],
        settings: [
            Setting(
                "flatten", .flag, valueName: "",
                topic: "straighten", help: "Flatten pages that curve toward the binding (dewarp)",
                details: "The pages that change are re-encoded",
                effect: EffectRule(
                    unless: "no page was found to be curved",
                    ifUnseen: "no page was found to be curved among those that could be analyzed", for: "flatten")),
            Setting(
                "flatten-file", .keptFile, valueName: "file",
                topic: "straighten", help: "Apply the curves in this file; with -n, create it"),
        ])

    public let counts: [FindingCount] = [.flattened]

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        let path = settings["flatten-file"]
        guard settings.flag("flatten") else {
            if path == nil { return [] }
            throw AdapterError(.usage, "--flatten-file has no effect without --flatten", hint: "add --flatten")
        }
        return [Pass(.flatten) { sequence, request in try await Flatten.flattened(sequence, path, request) }]
    }

    /// - Parameter path: the path of the file of curves, if any.
    private static func flattened(
        _ sequence: PageSequence, _ path: String?, _ request: TransformRequest
    ) async throws -> PageSequence {
        let decisionFile = try path.map { path throws(AdapterError) in
            try DecisionFile(path: path, of: FlattenFile.contents, request)
        }
        if case .follow(let file)? = decisionFile {
            let result = try await FlattenFile(file).apply(to: sequence, path: file.path, request)
            Flatten.noteUse(in: result, request)
            return result
        }
        var result = sequence
        let decisions = try await mapInOrder(sequence.pages, width: request.width) { page in
            try await Flatten.analyze(page, request)
        }
        for (index, decision) in decisions.enumerated() { result.pages[index].lay(decision) }
        if case .write(let file)? = decisionFile {
            let book = try await DecisionBook(sequence.pages, request)
            try FlattenFile(sequence.pages, decisions, of: book).write(to: file)
        }
        Flatten.noteUse(in: result, request)
        return result
    }

    private static func noteUse(in sequence: PageSequence, _ request: TransformRequest) {
        if sequence.pages.contains(where: { $0.flatness?.isFlattened ?? false }) {
            request.effects.note(option: "flatten")
        }
    }

    private static func analyze(_ page: Page, _ request: TransformRequest) async throws -> FlattenedPage {
        let pixels = FlattenLimits.minimumPixels
        switch try await request.look(at: page, pixels: pixels, as: .brightness, for: "flatten") {
        case .seen(let preview): return FlattenedPage(preview)
        case .unseen(let reason, let damage, let isUnreadable):
            var decision = FlattenedPage(leftAlone: reason, nil)
            (decision.damage, decision.isUnreadable) = (damage, isUnreadable)
            return decision
        }
    }
}

extension Page {
    /// Applies the decision about the page, and records it for the report.
    mutating func lay(_ decision: FlattenedPage) {
        if let flattening = decision.flattening { edits.append(.change(Dewarp(mesh: flattening))) }
        flatness = FlatnessFinding(
            decision.remark, isFlattened: decision.flattening != nil, damage: decision.damage)
    }
}
