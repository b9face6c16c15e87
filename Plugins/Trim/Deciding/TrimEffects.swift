internal import AdapterKit

/// The recorded effects of the options, so that a run can report options without an effect.
extension Trim {
    /// Notes the options without which the boxes would differ.
    ///
    /// - Parameter decide: a function that decides again with other options, without analyzing pages.
    static func noteUse(
        of options: TrimOptions, _ request: TransformRequest, _ findings: [Int: PrintFinding],
        _ decisions: [Int: TrimDecision], deciding decide: (TrimOptions) throws -> [Int: TrimDecision]
    ) throws {
        let boxes = decisions.mapValues(\.box)
        if boxes.values.contains(where: { $0 != nil }) { request.effects.note(option: "trim") }
        if findings.values.contains(where: \.page.isDeskewed) { request.effects.note(option: "deskew") }
        let given = options.settings.given
        for setting in TrimOptions.settings where setting.name.hasPrefix("trim-") && setting.effect != nil {
            guard given[setting.name] != nil else { continue }
            let others = given.filter { $0.key != setting.name }
            let settings = try Settings(TrimOptions.settings, given: others)
            guard let other = try TrimOptions(settings) else { continue }
            // Margins without a meaning on such pages are not an effect of another option.
            let usual = try? decide(other).mapValues(\.box)
            if usual != boxes { request.effects.note(option: setting.name) }
        }
    }
}
