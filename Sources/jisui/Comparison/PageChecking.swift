internal import AdapterKit
internal import Conversion
internal import PageModel

/// The check of pages for damage, with the progress bar.
enum PageChecking {
    /// - Parameter name: the name of the book on the progress bar.
    /// - Throws: `CancellationError`.
    static func findings(
        of pages: [Page], in name: String, limits: Limits, width: Int, isQuiet: Bool
    ) async throws -> [PageCheck.Finding] {
        if !isQuiet {
            ProgressBar.begin(name)
            ProgressBar.enter(.checking, until: 1, pages: pages.count)
        }
        defer { ProgressBar.end() }
        return try await PageCheck(limits: limits).findings(of: pages, width: width) { event in
            switch event {
            case .began(let page): CrashReport.begin(page: page)
            case .ended(let page): CrashReport.end(page: page)
            case .finished(let count): ProgressBar.advance(to: count)
            default: break
            }
        }
    }

    /// Returns the result in words. Pages are "sound" if their formats would show damage.
    ///
    /// - Parameter hasWarnings: whether there are warnings about the book.
    static func verdict(_ findings: [PageCheck.Finding], hasWarnings: Bool) -> Message {
        let damaged = findings.count { !$0.defects.isEmpty }
        let unchecked = findings.count { $0.defects.isEmpty && $0.unchecked != nil }
        let silent = findings.count { $0.defects.isEmpty && $0.unchecked == nil && !$0.noticesDamage }
        func share(_ count: Int, _ word: Message) -> Message? {
            switch count {
            case 0: nil
            case findings.count: count == 1 ? word : "all of them \(word)"
            default: "\(count) of them \(word)"
            }
        }
        let parts = [share(damaged, "damaged"), share(unchecked, "not checked")].compactMap { $0 }
        guard parts.isEmpty else { return parts.joined(separator: ", ") }
        let verdict: Message =
            switch silent {
            case 0: "sound"
            case findings.count: "decodes (the format has no checksums)"
            case 1: "decodes (the format of 1 page has no checksums)"
            default: "decodes (the formats of \(silent) pages have no checksums)"
            }
        return hasWarnings ? "\(verdict), but there are warnings" : verdict
    }
}
