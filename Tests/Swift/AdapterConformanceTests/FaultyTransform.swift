import AdapterKit
import PageModel

/// A transform that turns the order round; and every fault on demand.
struct FaultyTransform: PageTransform {
    /// The faults, with the words that the kit finds for each.
    enum Fault: String, CaseIterable, Sendable {
        case looks = "images were looked at"
        case renumbers = "new pages got ids that other pages may have had"
        case renames = "pages were renamed"
        case fillsEmptyBooks = "an empty book got 1 pages"
        case failsOnOnePage = "one page is no book"
        case changesSize = "gives 1x1 pixels, not"
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: [])
    var fault: Fault?

    init(_ fault: Fault? = nil) { self.fault = fault }

    func passes(_ settings: Settings) -> [Pass] { [Pass(.arrange) { sequence, _ in try await changed(sequence) }] }

    private func changed(_ sequence: PageSequence) async throws -> PageSequence {
        var result = sequence
        result.pages.reverse()
        switch fault {
        case .looks: _ = try? await sequence.pages.first?.examine()
        case .renumbers:
            result.pages = result.pages.enumerated().map { Page(id: $0 + 1, name: $1.name, examine: $1.examine) }
        case .renames: for index in result.pages.indices { result.pages[index].name += "!" }
        case .changesSize:
            for index in result.pages.indices { result.pages[index].edits = [.change(FaultyOperation())] }
        case .fillsEmptyBooks where result.pages.isEmpty:
            result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
        case .failsOnOnePage where result.pages.count == 1: throw AdapterError(.unsupported, "one page is no book")
        default: break
        }
        return result
    }
}

/// An operation whose result has another size than it states.
private struct FaultyOperation: PageOperation {
    static let id = "faulty"

    var note: Note { Note(.operation, ["name": "faulty"]) }

    func encode(to encoder: any Encoder) {}

    func apply(to raster: Raster) -> Raster {
        Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0])
    }
}
