internal import AdapterKit
internal import PageModel
internal import Scratch

/// One source and one input under examination.
struct SourceCheck {
    let source: any SourceAdapter
    let input: Input
    let settings: Settings
    let findings: Findings

    init(_ source: any SourceAdapter, _ input: Input, _ settings: Settings?) {
        self.source = source
        self.input = input
        // A card whose defaults will not do is the registry lint's business.
        self.settings = settings ?? (try? Settings(source.card.settings, given: [:])) ?? Settings()
        findings = Findings(source.card, subject: input.path)
    }

    func open(_ limits: Limits = Limits()) async throws(AdapterError) -> OpenedBook {
        try await source.open(input, settings: settings, limits: limits)
    }

    /// A copy of the input under another name; nil for a folder.
    func copy(named name: String, in scratch: ScratchFolder) throws -> Input? {
        guard try !Probe(path: input.path).isFolder else { return nil }
        let file = try ReadableFile(path: input.path)
        let path = try scratch.write(name, try file.read(at: 0, exactly: file.size))
        return Input(path: path, password: input.password)
    }
}
