internal import AdapterKit
internal import Files
internal import PageModel

extension SourceCheck {
    /// Checks copies of the input that are truncated, or have a changed byte.
    ///
    /// Such a copy is refused with an `AdapterError`, yields its remaining pages, or is still valid.
    func damage(_ truncations: Int?, changedBytes: Int) async {
        guard let whole = (try? bytes()) ?? nil, whole.count < Self.maximumBytes,
            let folder = await findings.attempt("making a folder", { try TemporaryFolder() })
        else { return }
        let count = min(truncations ?? (whole.count <= 4096 ? whole.count : 150), whole.count)
        for index in 0..<count + changedBytes {
            var (bytes, what) = (whole, "a copy with a changed byte")
            if index < count {
                bytes = Array(whole.prefix(index * whole.count / count))
                what = "its first \(bytes.count) of \(whole.count) bytes"
            } else if let place = whole.indices.randomElement() {
                what += " at \(place)"
                bytes[place] ^= 0xFF
            }
            let name = FileName.last(of: input.path)
            guard let path = await findings.attempt("copying it", { try folder.write(name, bytes) }) else { return }
            // Not every time: rendering takes longer than all other steps together.
            let copy = Input(path: path, password: input.password)
            await survives(copy, drawing: index % 16 == 0, isEmpty: bytes.isEmpty, what)
            // A crash would repeat.
            if findings.mayStop { return }
        }
    }

    /// The maximum size of a file that is copied many times.
    private static let maximumBytes = 64 << 20

    /// Checks that an invalid input is refused, or that the source reports its problem.
    func badInput(mayPass: Bool) async {
        let hasDiagnostic = await survives(input, drawing: true, "it")
        findings.expect(hasDiagnostic || mayPass, "is bad, and is read without a word")
    }

    /// Reads everything in an input. Errors other than an `AdapterError` with a message are failures.
    ///
    /// - Returns: whether the source reported a problem.
    @discardableResult
    private func survives(_ input: Input, drawing: Bool, isEmpty: Bool = false, _ what: String) async -> Bool {
        let (source, settings) = (source, settings)
        return await findings.attempt("opening \(what)", isDamaged: true) {
            do {
                _ = try source.recognize(Probe(path: input.path))
                let book = try await source.open(input, settings: settings, limits: Limits())
                // Sources of single images have one page before they read it.
                let mayHavePages = !isEmpty || findings.watch == nil
                findings.expect(mayHavePages || book.sequence.pages.isEmpty, "finds pages in an empty file")
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
                findings.expect(!Self.foreign.contains(error.code), "opening \(what) threw \(error.failureText)")
                return true
            }
        } ?? false
    }

    /// The errors that no damage of an input causes.
    private static let foreign: [AdapterError.Code] = [.usage, .exists, .unwritable]
}
