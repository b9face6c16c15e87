import AdapterKit
import PageModel
import Testing

@Suite struct PreviewResultTests {
    private static let preview = PagePreview(
        raster: Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0]),
        size: PixelSize(width: 1, height: 1))

    /// A provider of one preview, or of an error.
    private struct Provider: PreviewProvider {
        let result: @Sendable () throws -> PagePreview

        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview { try result() }

        func look(_ effects: OptionEvidence = OptionEvidence()) async throws -> PreviewResult {
            let page = Page(id: 1, name: "page") { throw AdapterError(.unreadable, "there is no image") }
            var request = TransformRequest(previews: self)
            request.effects = effects
            return try await request.look(at: page, pixels: 1, as: .brightness, for: "flatten")
        }

        /// Returns the reason and the damage of the page that is not seen; nil if it is seen.
        func reason() async throws -> [String?]? {
            let effects = OptionEvidence()
            let result = try await look(effects)
            // Another option may have seen every page.
            #expect(effects.seen == (result.preview == nil ? [.notAnalyzed(for: "flatten")] : []))
            guard case .unseen(let reason, let damage, let isUnreadable) = result else { return nil }
            return [reason.english, damage?.english] + (isUnreadable ? ["unreadable"] : [])
        }
    }

    private struct OtherError: Error, CustomStringConvertible {
        let description = "something else"
    }

    @Test func intactPagesAreSeen() async throws {
        #expect(try await Provider { Self.preview }.reason() == nil)
    }

    @Test func damagedPagesAreNotSeen() async throws {
        let damaged = Provider {
            var preview = Self.preview
            preview.damage = "the JPEG ends too early"
            return preview
        }
        #expect(try await damaged.reason() == ["its data is damaged", "the JPEG ends too early"])
        let undecodable = Provider { throw AdapterError(.damaged, "no end") }
        #expect(try await undecodable.reason() == ["it cannot be decoded", "no end"])
        let other = Provider { throw OtherError() }
        #expect(try await other.reason() == ["it cannot be decoded", "something else"])
    }

    @Test func unreadablePagesAreNotDamaged() async throws {
        let large = Provider { throw AdapterError(.tooLarge, "too many pixels") }
        #expect(try await large.reason() == ["too many pixels", nil])
        let unreadable = Provider { throw AdapterError(.unreadable, "the disk is gone") }
        #expect(try await unreadable.reason() == ["the disk is gone", nil, "unreadable"])
    }

    @Test func cancellationIsNotAReason() async {
        await #expect(throws: CancellationError.self) {
            _ = try await Provider { throw CancellationError() }.look()
        }
        // In an interrupted run, any error may be a consequence.
        let task = Task {
            try await Provider {
                withUnsafeCurrentTask { $0?.cancel() }
                throw AdapterError(.damaged, "no end")
            }.look()
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
