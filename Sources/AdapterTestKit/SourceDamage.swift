internal import AdapterKit
internal import PageModel

/// The lengths at which a good file is cut off, to see what a source makes of a file whose end is lost.
public enum PrefixSweep: Hashable, Sendable {
    /// Every length of a file up to 4096 bytes; 150 lengths of a larger one.
    case standard
    /// This many lengths, evenly spread.
    case spread(Int)

    /// Lengths shorter than `count`, longest first: the file can be cut from one to the next.
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
    /// A file that is cut off anywhere is refused with an `AdapterError`, gives the pages it still has, or is still good.
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
            // Not every time: drawing takes longer than all the rest together.
            await survives(whole, drawing: index % 16 == 0, "its first \(length) of \(count) bytes")
        }
    }

    /// A bad input is refused, or the source says what is wrong with it.
    func badInput(mayPass: Bool) async {
        let hasDiagnostic = await survives(input, drawing: true, "it")
        findings.expect(hasDiagnostic || mayPass, "is bad, and is read without a word")
    }

    /// Reads all that an input has to give; every error but an `AdapterError` with a message is a failure.
    ///
    /// - Returns: whether the source said that anything is wrong.
    @discardableResult
    private func survives(_ input: Input, drawing: Bool, _ what: String) async -> Bool {
        let (source, settings) = (source, settings)
        return await findings.attempt("opening \(what)") {
            do {
                _ = try source.recognise(Probe(path: input.path))
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
