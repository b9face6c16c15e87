internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel

extension Conversion {
    /// - Throws: `.usage` if there will be nothing to read back.
    func rejectUnusedVerification() throws(AdapterError) {
        guard job.verifies else { return }
        let reason =
            job.isDryRun
            ? "a dry run writes nothing"
            : job.destination.isStandardOutput ? "standard output cannot be read back" : nil
        guard let reason else { return }
        throw AdapterError(
            .usage, "--verify cannot read the output back: \(reason)",
            hint: job.isDryRun ? "remove --dry-run" : "write a file")
    }
}

extension Auditor {
    /// Reads a complete output back, and computes the digests of its files.
    ///
    /// - Parameter place: the path at which the output will appear.
    /// - Throws: the errors of `readBack`.
    func readBack(
        _ sink: any SinkAdapter, _ held: HeldOutput, at place: String,
        _ warn: (Warning) throws -> Void
    ) async throws {
        let output = CompleteOutput(path: held.path ?? place, place: place, isWaiting: held.isWaiting)
        if job.findsDigests {
            // The run does not fail if the report lacks them.
            report.outputFiles = try? FileDigest.digests(
                ofOutputAt: output.path, name: FileName.last(of: place))
            try Task.checkCancellation()
        }
        try await readBack(sink, output, warn)
        // This includes structure, metadata and files for a web browser.
        if job.verifies, let name = held.changedFile() {
            let file: Message = name.isEmpty ? "the file" : "'\(name)'"
            throw difference("verification failed: \(file) does not hold the bytes that were written", output)
        }
    }

    /// Reads a complete output back. The digests go to the report, and the pages are compared with the expected ones.
    ///
    /// - Throws: `.damaged`, naming the first different page; `CancellationError`.
    func readBack(
        _ sink: any SinkAdapter, _ output: CompleteOutput, _ warn: (Warning) throws -> Void
    ) async throws {
        guard let digestRequest = DigestRequest(job) else { return }
        onEvent(.readingBack)
        defer { for index in report.pages.indices { report.pages[index].expectation = nil } }
        let (book, source): (OpenedBook, String)
        do throws(AdapterError) {
            (book, source) = try await Library(registry).open(
                Input(path: output.path), source: nil, settings: [:], limits: job.limits)
        } catch {
            try Task.checkCancellation()
            guard job.verifies else { return }
            guard registry.reads(sink) else {
                return try warn(notVerified("jisui cannot read \(sink.descriptor.id)", output))
            }
            throw difference("cannot be read back: \(error.explanation)", output)
        }
        // No image of a composed output corresponds to one page.
        let isComposed = report.isComposed
        let pages = book.sequence.pages
        if !isComposed, pages.count != report.pages.count {
            guard job.verifies else { return }
            let count: Message = pages.count == 1 ? "1 page" : "\(pages.count) pages"
            throw difference("has \(count), and \(report.pages.count) were written", output)
        }
        let reader = OutputReader(digestRequest: digestRequest, limits: job.limits, width: job.width)
        let isOnGivenPaper = report.isOnGivenPaper
        let findings = try await reader.findings(
            pages,
            isComposed
                ? pages.map { _ in nil as PageExpectation? }
                : report.pages.map { isOnGivenPaper ? $0.expectationAsMade?.onGivenPaper : $0.expectationAsMade })
        if digestRequest.areReported, !isComposed {
            for (index, finding) in findings.enumerated() {
                report.pages[index].digests?.output = finding.digest
            }
        }
        guard job.verifies else { return }
        let differing = findings.filter { $0.difference != nil }
        if let first = differing.first, let what = first.difference {
            let more = differing.count - 1
            let others: Message = more == 0 ? "" : more == 1 ? "; 1 other page differs" : "; \(more) other pages differ"
            throw difference(
                "verification failed: \(what)\(others)", page: first.name, output, isOfInput: first.isOfInput)
        }
        report.verification = Verification(by: source, findings.map { $0.likeness ?? .decodes })
    }

    private func notVerified(_ blocker: Message, _ output: CompleteOutput) -> Warning {
        report.verification = Verification(blocker: blocker)
        return Warning(
            code: "not-verified",
            subject: FileName.last(of: output.place), message: "not read back: \(blocker)",
            hint: "open it in the program that it is for")
    }

    /// - Parameter isOfInput: whether the input is the probable cause. Two programs, or two runs, may read damaged data
    ///   differently.
    private func difference(
        _ message: Message, page: String? = nil, _ output: CompleteOutput, isOfInput: Bool = false
    ) -> AdapterError {
        let hint: Message =
            switch (output.isWaiting, isOfInput) {
            case (true, false): "nothing was put in its place; check the disk and convert again"
            case (false, false): "the output was written nevertheless; remove it, check the disk and convert again"
            case (true, true): "nothing was put in its place; check the input with 'jisui info --check'"
            case (false, true):
                "the output was written nevertheless; remove it and check the input with 'jisui info --check'"
            }
        return AdapterError(.damaged, message, hint: hint, file: output.place, page: page)
    }
}

extension PageReport {
    /// The expected page, which takes the sink's own treatment of it into account.
    fileprivate var expectationAsMade: PageExpectation? {
        guard let composition, composition.treatment > .lossless else { return expectation }
        return expectation?.withoutContents
    }
}

extension Registry {
    /// Returns whether one of the sources is made for the sink's format.
    fileprivate func reads(_ sink: any SinkAdapter) -> Bool {
        sources.contains { source in
            source.descriptor.id == sink.descriptor.id
                || !Set(source.descriptor.extensions).isDisjoint(with: sink.descriptor.extensions)
        }
    }
}
