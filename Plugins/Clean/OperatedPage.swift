internal import AdapterKit
internal import PageModel

/// The page of an operation that the page can do without. Operations are compared by its id.
struct OperatedPage: Hashable, Sendable {
    let page: Page
    let omission = Omission()

    init(_ page: Page) {
        self.page = page
    }

    static func == (one: OperatedPage, other: OperatedPage) -> Bool { one.page.id == other.page.id }

    func hash(into hasher: inout Hasher) { hasher.combine(page.id) }
}
