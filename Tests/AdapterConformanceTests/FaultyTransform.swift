import AdapterKit
import PageModel
import Synchronization

/// A transform that turns the order round; and every fault on demand.
struct FaultyTransform: PageTransform {
    enum Fault: CaseIterable, Sendable {
        case looks
        case renumbers
        case renames
        case fillsEmptyBooks
        case failsOnOnePage
        case changesItsMind
    }

    let card = AdapterCard(id: "faulty", summary: "test", extensions: [])
    var fault: Fault?
    private let calls = Calls()

    private final class Calls: Sendable {
        let count = Mutex(0)
    }

    init(_ fault: Fault? = nil) {
        self.fault = fault
    }

    func apply(to sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence {
        var result = sequence
        result.pages.reverse()
        switch fault {
        case .looks: _ = try? await sequence.pages.first?.examine()
        case .renumbers:
            result.pages = result.pages.enumerated().map { Page(id: $0 + 1, name: $1.name, examine: $1.examine) }
        case .renames: for index in result.pages.indices { result.pages[index].name += "!" }
        case .fillsEmptyBooks where result.pages.isEmpty:
            result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
        case .failsOnOnePage where result.pages.count == 1: throw AdapterError(.unsupported, "one page is no book")
        case .changesItsMind
        where calls.count.withLock({
            $0 += 1; return $0
        }).isMultiple(of: 2):
            for index in result.pages.indices { result.pages[index].edits = [.turn(quarters: 2)] }
        default: break
        }
        return result
    }
}
