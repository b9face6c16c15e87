internal import AdapterKit
internal import Files
internal import PageModel

/// The lengths at which a valid file is truncated, to test a source with incomplete files.
public enum PrefixSweep: Hashable, Sendable {
    /// Every length of a file up to 4096 bytes; 150 lengths of a larger one.
    case standard
    /// This many lengths, evenly distributed.
    case spread(Int)

    /// Returns lengths shorter than `count`, longest first: the file can be truncated from one to the next.
    func lengths(of count: Int) -> [Int] {
        let wanted =
            switch self {
            case .standard: count <= 4096 ? count : 150
            case .spread(let number): min(number, count)
            }
        return (0..<wanted).reversed().map { $0 * count / wanted }
    }
}

extension SourceCheck {
    /// Checks that a file truncated anywhere is refused with an `AdapterError`, yields its remaining pages, or is still
    /// valid.
    func prefixes(_ sweep: PrefixSweep) async {
        let name = FileName.last(of: input.path)
        guard
            let folder = await findings.attempt("making a folder", { try TemporaryFolder() }),
            let whole = await findings.attempt("copying it", { try copy(named: name, in: folder) }) ?? nil,
            let count = try? ReadableFile(path: whole.path).size
        else { return }
        for (index, length) in sweep.lengths(of: count).enumerated() {
            guard await findings.attempt("cutting it off", { try folder.truncate(name, to: length) }) != nil else {
                return
            }
            // Not every time: rendering takes longer than all other steps together.
            await survives(whole, drawing: index % 16 == 0, "its first \(length) of \(count) bytes")
        }
    }

    /// Checks that an invalid input is refused, or that the source reports its problem.
    func badInput(mayPass: Bool) async {
        let hasDiagnostic = await survives(input, drawing: true, "it")
        findings.expect(hasDiagnostic || mayPass, "is bad, and is read without a word")
    }

    /// Reads everything in an input. Errors other than an `AdapterError` with a message are failures.
    ///
    /// - Returns: whether the source reported a problem.
    @discardableResult
    private func survives(_ input: Input, drawing: Bool, _ what: String) async -> Bool {
        let (source, settings) = (source, settings)
        return await findings.attempt("opening \(what)") {
            do {
                _ = try source.recognize(Probe(path: input.path))
                let book = try await source.open(input, settings: settings, limits: Limits())
                var hasDiagnostic = !book.warnings.isEmpty
                for page in book.sequence.pages.prefix(8) {
                    do {
                        let contents = try await PageContents(page, drawing: drawing)
                        hasDiagnostic = hasDiagnostic || contents.hasDiagnostic
                    } catch let error as AdapterError where !error.message.isEmpty {
                        hasDiagnostic = true
                    }
                }
                return hasDiagnostic
            } catch let error as AdapterError where !error.message.isEmpty {
                return true
            }
        } ?? false
    }
}
