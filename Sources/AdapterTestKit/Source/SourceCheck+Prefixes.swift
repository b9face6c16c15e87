internal import AdapterKit
internal import Glibc
internal import PageModel
internal import Scratch

extension SourceCheck {
    /// A file that breaks off anywhere either fails with an `AdapterError` or gives pages that do; or it is still good.
    func prefixes(_ sweep: PrefixSweep) async {
        let name = FileName.last(of: input.path)
        guard
            let scratch = await findings.attempt("making a folder", { try ScratchFolder() }),
            let whole = await findings.attempt("copying it", { try copy(named: name, in: scratch) }) ?? nil,
            let count = try? ReadableFile(path: whole.path).size
        else { return }
        for (index, length) in sweep.lengths(of: count).enumerated() {
            guard truncate(whole.path, off_t(length)) == 0 else { return findings.fail("cannot be cut for the test") }
            // DecodedImage takes longer than all the rest together.
            await survives(whole, drawing: index % 16 == 0, "its first \(length) of \(count) bytes")
        }
    }

    /// Takes all an input has to give, and notes what is thrown besides the errors that may be.
    ///
    /// - Returns: whether anything was said to be wrong.
    @discardableResult
    func survives(_ input: Input, drawing: Bool, _ what: String) async -> Bool {
        let (source, settings) = (source, settings)
        return await findings.attempt("opening \(what)") {
            do {
                _ = try source.recognise(Probe(path: input.path))
                let book = try await source.open(input, settings: settings, limits: Limits())
                var isSaid = !book.warnings.isEmpty
                for page in book.sequence.pages.prefix(8) {
                    do {
                        let contents = try await PageContents(page, drawing: drawing)
                        isSaid = isSaid || contents.hasComplaint
                    } catch let error as AdapterError where !error.message.isEmpty {
                        isSaid = true
                    }
                }
                return isSaid
            } catch let error as AdapterError where !error.message.isEmpty {
                return true
            }
        } ?? false
    }

    /// A bad input is refused, or what is wrong with it is said.
    func badInput(mayPass: Bool) async {
        let isSaid = await survives(input, drawing: true, "it")
        findings.expect(isSaid || mayPass, "is bad, and nothing was said of it")
    }
}

extension PageContents {
    fileprivate var hasComplaint: Bool {
        !defects.isEmpty || !diagnostics.isEmpty || representations.contains { $0.error != nil }
    }
}
