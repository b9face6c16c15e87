package import AdapterKit
package import PageModel

/// The pixels of the pages of one output, for operations that need other pages than their own.
///
/// Operations on successive pages need the same pages. So the last few are kept, as far as the memory allows.
package actor BookPages: OtherPages {
    private struct Key: Hashable {
        let id: Int
        let operation: String
    }

    /// The divisor of the memory for one page that gives the bytes of all kept pages. With the default, these are seven pages
    /// in gray of A4 at 600 pixels per inch.
    private static let memoryShare = 4

    /// The most pages that are kept: those that the pages in work may need again.
    private static let maximumCount = 8

    private let pages: [Int: Page]
    private let limits: Limits
    private var kept: [(key: Key, raster: Raster)] = []

    /// - Parameter pages: the pages of the output; merged pages are found by their parts.
    package init(_ pages: [Page], _ limits: Limits) {
        let all = pages.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
        self.pages = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        self.limits = limits
    }

    package func raster(of id: Int, before operation: any PageOperation) async throws -> Raster {
        let key = Key(id: id, operation: type(of: operation).id)
        let raster =
            if let known = kept.first(where: { $0.key == key })?.raster { known } else {
                try await rendered(id, before: key.operation)
            }
        kept.removeAll { $0.key == key }
        kept.append((key, raster))
        var bytes = kept.reduce(0) { $0 + $1.raster.samples.count }
        while kept.count > BookPages.maximumCount || bytes > limits.memory / BookPages.memoryShare, !kept.isEmpty {
            bytes -= kept.removeFirst().raster.samples.count
        }
        return raster
    }

    private func rendered(_ id: Int, before operation: String) async throws -> Raster {
        guard var page = pages[id] else { throw AdapterError(.unsupported, "the output has no page \(id)") }
        // An omitted operation still shows where the state is.
        let before = page.edits.prefix { edit in edit.operation.map { type(of: $0).id != operation } ?? true }
        page.edits = Array(before).withoutOmissions
        let picture = try await page.examine()
        var fault = AdapterError(.unsupported, "the page has no image", page: page.name)
        for representation in picture.representations {
            do {
                guard let operations = try Planner.operations(representation, page) else { continue }
                return try await Renderer(limits: limits).render(representation, operations, keepsProfile: false)
                    .image.raster
            } catch {
                try error.throwIfCancelled()
                fault = AdapterError(rendering: error)
            }
        }
        throw fault
    }
}

/// The pages for operations outside a book: none.
package struct NoOtherPages: OtherPages {
    package init() {}

    package func raster(of id: Int, before operation: any PageOperation) async throws -> Raster {
        throw AdapterError(.unsupported, "the output has no page \(id)")
    }
}
