internal import AdapterKit
internal import Scratch

extension SourceCheck {
    /// The source knows the input by its content, whatever it is called.
    func recognition() async {
        await findings.attempt("recognising it") { try Probe(path: input.path) }.map { probe in
            findings.expect(source.recognise(probe).isYes, "is not recognised: \(source.recognise(probe))")
        }
        // Names that promise nothing, and something else.
        for name in ["input", "input.dat", "input.txt"] {
            await findings.attempt("recognising a copy called '\(name)'") {
                let scratch = try ScratchFolder()
                return try copy(named: name, in: scratch).map { source.recognise(try Probe(path: $0.path)) }
            }?.map { findings.expect($0.isYes, "is not recognised by its content as '\(name)': \($0)") }
        }
        await findings.attempt("recognising an empty file") {
            let scratch = try ScratchFolder()
            let name = "empty.\(source.card.extensions.first ?? "dat")"
            return source.recognise(try Probe(path: try scratch.write(name)))
        }.map { findings.expect(!$0.isCertain, "is certain that an empty file is its own, for its name: \($0)") }
    }
}

extension Recognition {
    fileprivate var isYes: Bool {
        if case .maybe(let certainty) = self { (1...100).contains(certainty) } else { false }
    }

    fileprivate var isCertain: Bool {
        if case .maybe(let certainty) = self { certainty > 50 } else { false }
    }
}
