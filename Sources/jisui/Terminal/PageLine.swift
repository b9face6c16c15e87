internal import Conversion
internal import PageModel

/// One page of a report as a line of text.
struct PageLine {
    let text: String

    init(_ page: PageReport) {
        let number = String(page.number)
        let padding = String(repeating: " ", count: max(0, 5 - number.count))
        let size = page.size.map { "\($0)" } ?? "?"
        let remark = [page.layout?.remark, page.spread?.remark].compactMap { $0.map { "; \($0)" } }.joined()
        let treatment = page.treatment.rawValue
        text = [
            padding + number, treatment + String(repeating: " ", count: max(0, 8 - treatment.count)),
            size + String(repeating: " ", count: max(0, 10 - size.count)), "\(page.source): \(page.reason)\(remark)",
        ].joined(separator: "  ")
    }
}
