public import AdapterKit

/// Checks the descriptor of an adapter: help, completions and the validation of options are made from it.
public func checkDescriptor(_ descriptor: AdapterDescriptor) -> [ConformanceFailure] {
    let findings = Findings(descriptor, subject: "its descriptor")
    func isWord(_ text: String) -> Bool { text.wholeMatch(of: /[a-z0-9][a-z0-9-]*/) != nil }
    findings.expect(isWord(descriptor.id), "its id is not a plain word")
    findings.expect(!descriptor.summary.isEmpty, "it has no summary")
    for name in descriptor.extensions { findings.expect(isWord(name), "'\(name)' is not a plain extension") }
    for setting in descriptor.settings {
        let (name, help) = ("--\(setting.name)", setting.help)
        findings.expect(isWord(setting.name), "\(name) is not a plain name")
        findings.expect(!help.isEmpty && !help.hasSuffix("."), "\(name) needs a help without a final stop")
        findings.expect(!setting.valueName.isEmpty || setting.kind == .flag, "\(name) has no name for its value")
        let objection = setting.defaultValue.flatMap(setting.objection)
        findings.expect(objection == nil, "\(name) has an impossible default: \(objection.map { "\($0)" } ?? "")")
        guard let implied = setting.impliedValue else { continue }
        let words = if case .choice(let words) = setting.kind { words } else { [String]() }
        findings.expect(words.contains(implied), "\(name) has an impossible implied value")
    }
    return findings.failures
}

extension Settings {
    /// The defaults; none if they are invalid, which `checkDescriptor` finds.
    init(defaultsOf descriptor: AdapterDescriptor) {
        self = (try? Settings(descriptor.settings, given: [:])) ?? Settings()
    }
}
