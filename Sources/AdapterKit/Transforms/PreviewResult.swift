public import PageModel

/// The result of looking at a page that may be damaged.
public enum PreviewResult: Sendable {
    case seen(PagePreview)
    /// Nothing can be decided about the page, so a transform leaves it unchanged and states the reason.
    ///
    /// The damage is the defect of the page's data, for `PageFinding.damage`. It is nil for other reasons, such as a
    /// limit. The run warns about these.
    ///
    /// If the page is only unreadable, another run may see it: a file of decisions has no entry for it.
    case unseen(reason: Message, damage: Message?, isUnreadable: Bool)

    /// The preview; nil for a page that cannot be analyzed.
    public var preview: PagePreview? { if case .seen(let preview) = self { preview } else { nil } }
}

extension PreviewProvider {
    /// Returns the reduced page, or the reason that it cannot be analyzed. Its edits are applied.
    ///
    /// - Parameters:
    ///   - pixels: the minimum of its shorter side.
    ///   - meaning: the gray's meaning.
    /// - Throws: `CancellationError`.
    public func look(at page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PreviewResult {
        do {
            let preview = try await preview(of: page, pixels: pixels, as: meaning)
            // Missing parts look like paper, or may have been guessed.
            if let damage = preview.damage {
                return .unseen(reason: "its data is damaged", damage: damage, isUnreadable: false)
            }
            return .seen(preview)
        } catch {
            try error.throwIfCancelled()
            let error = error as? AdapterError ?? AdapterError(.damaged, Message(verbatim: "\(error)"))
            if error.code == .damaged {
                return .unseen(reason: "it cannot be decoded", damage: error.message, isUnreadable: false)
            }
            return .unseen(reason: error.message, damage: nil, isUnreadable: error.code == .unreadable)
        }
    }
}

extension TransformRequest {
    /// Looks at a page as `PreviewProvider` does, and notes for an option that it could not be analyzed.
    public func look(
        at page: Page, pixels: Int, as meaning: SampleMeaning, for option: String
    ) async throws -> PreviewResult {
        let result = try await previews.look(at: page, pixels: pixels, as: meaning)
        if case .unseen = result { effects.note(.notAnalyzed(for: option)) }
        return result
    }
}
