internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Cancelled work ends, says nothing of damage, and leaves the book as good as it was.
    func cancellation() async {
        let (source, input, settings) = (source, input, settings)
        let opening = Task {
            // The task is cancelled before it does anything.
            while !Task.isCancelled { await Task.yield() }
            _ = try await source.open(input, settings: settings, limits: Limits())
        }
        opening.cancel()
        judge(await opening.result, "opening it")
        guard let page = try? await open().sequence.pages.first else { return }
        let before = try? await PageContents(page, drawing: false)
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await PageContents(page, drawing: true)
        }
        reading.cancel()
        judge(await reading.result, "reading \(page.name)")
        let after = try? await PageContents(page, drawing: false)
        findings.expect(before == after, "\(page.name) is another one after a reading of it was cancelled")
    }

    private func judge(_ result: Result<Void, any Error>, _ what: String) {
        guard case .failure(let error) = result else { return }
        let blames = (error as? AdapterError)?.code == .damaged
        findings.expect(error.isAllowed && !blames, "\(what) when cancelled threw \(error.told)")
    }
}
