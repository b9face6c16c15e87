package import PageModel

extension Page {
    /// Refuses a decision that was made when the page had another size.
    ///
    /// - Parameters:
    ///   - size: the size for which the decision was made.
    ///   - path: the file with the decision.
    /// - Throws: `.usage`; `CancellationError`.
    package func requireSize(_ size: PixelSize, for path: String) async throws {
        guard try await !hasSize(size) else { return }
        throw AdapterError(
            .usage, "was made when the page had \(size) pixels, but its size is different now",
            hint:
                "repeat the earlier options that change pages, or remove the file to create a new one with --dry-run",
            file: path, page: name)
    }

    /// The number of parts of an aspect ratio. The rounding of another resolution changes it by one part at most.
    private static let shapeParts = 50

    /// Returns whether the page has a size. A page that cannot be examined counts as unchanged.
    ///
    /// For a rendered page the same aspect ratio is enough, because its size depends on the requested resolution.
    private func hasSize(_ size: PixelSize) async throws -> Bool {
        let picture: Picture
        do {
            picture = try await examine()
        } catch {
            try error.throwIfCancelled()
            // The run examines the page again, and reports its defects.
            return true
        }
        guard let now = picture.size.map(edits.applied) else { return true }
        guard case .drawn? = picture.representations.first else { return now == size }
        let (one, other) = (size.width * now.height, now.width * size.height)
        return abs(one - other) <= one / Page.shapeParts
    }
}
