internal import AdapterKit
internal import PageModel

/// The page of an operation that the page can do without. Reports and comparisons know it by its id.
struct OperatedPage: Hashable, Encodable, Sendable {
    let page: Page
    let omission = Omission()

    init(_ page: Page) {
        self.page = page
    }

    static func == (one: OperatedPage, other: OperatedPage) -> Bool { one.page.id == other.page.id }

    func hash(into hasher: inout Hasher) { hasher.combine(page.id) }

    func encode(to encoder: any Encoder) throws { try page.id.encode(to: encoder) }
}
