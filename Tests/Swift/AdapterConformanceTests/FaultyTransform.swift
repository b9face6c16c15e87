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
        case changesItsMind = "applied twice to one book"
        case changesPixelsAnew = "twice gives two different images"
        case changesSize = "gives 1x1 pixels, not"
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: [])
    var fault: Fault?
    private let calls = Counter()

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
        case .changesPixelsAnew, .changesSize:
            let size = fault == .changesSize ? PixelSize(width: 1, height: 1) : nil
            for index in result.pages.indices { result.pages[index].edits = [.change(FaultyOperation(size: size))] }
        case .fillsEmptyBooks where result.pages.isEmpty:
            result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
        case .failsOnOnePage where result.pages.count == 1: throw AdapterError(.unsupported, "one page is no book")
        case .changesItsMind where calls.add().isMultiple(of: 2):
            for index in result.pages.indices { result.pages[index].edits = [.move(.turn(quarters: 2))] }
        default: break
        }
        return result
    }
}

/// An operation whose result has random samples, or another size.
private struct FaultyOperation: PageOperation {
    static let id = "faulty"
    let size: PixelSize?

    var note: Note { Note(.operation, ["name": "faulty"]) }

    func encode(to encoder: any Encoder) {}

    func apply(to raster: Raster) -> Raster {
        let samples = (0..<(size ?? raster.size).area).map { _ in size == nil ? UInt8.random(in: 0...255) : 0 }
        return Raster(size: size ?? raster.size, format: .gray(bits: 8), samples: samples)
    }
}
