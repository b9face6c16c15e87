internal import AdapterKit
internal import Conversion
internal import PageModel

/// What `jisui info` tells of one page.
struct PageInfo: Sendable {
    let page: Page
    let defects: [String]
    private let picture: Picture?
    private let plan: PagePlan?

    init(_ page: Page, _ picture: Picture?, _ plan: PagePlan?, defects: [String]) {
        self.page = page
        self.picture = picture
        self.plan = plan
        self.defects = defects
    }

    var json: JSON {
        let paper = picture?.paper
        return [
            "number": .integer(page.id), "name": .string(page.name), "label": JSON(page.label),
            "width": JSON(plan?.size?.width), "height": JSON(plan?.size?.height), "encoding": JSON(encoding),
            "treatment": JSON(plan?.treatment.rawValue), "reason": JSON(plan?.reason),
            "mediaBox": JSON(box: paper?.mediaBox), "box": JSON(box: paper?.cropBox),
            "rotation": JSON(paper?.rotation), "userUnit": paper.map { .number($0.userUnit) } ?? .null,
        ]
    }

    /// - Parameter digits: the digits of the book's last page number, for the numbers to stand in a column.
    func line(digits: Int) -> String {
        let number = String(repeating: " ", count: max(0, digits - String(page.id).count)) + String(page.id)
        let label = page.label.flatMap { $0 == String(page.id) ? nil : " (\($0))" } ?? ""
        guard let plan else {
            return "  \(number)\(label)  \(page.name): unreadable: \(defects.joined(separator: "; "))"
        }
        let size = plan.size.map { "\($0)" } ?? "?"
        return
            "  \(number)\(label)  \(page.name)  \(size) \(encoding ?? "?")  \(plan.treatment.rawValue): \(plan.reason)"
    }

    /// How the source holds the picture: a picture format, the compression of samples, or "page" for drawn ones.
    private var encoding: String? {
        switch picture?.representations.first {
        case .encoded(let picture): picture.encoding.rawValue
        case .sampled(let picture): picture.compression
        case .drawn: "page"
        case .joined: "pages"
        case nil: nil
        }
    }
}

extension JSON {
    fileprivate init(box: Paper.Box?) {
        self = box.map { JSON($0.map(JSON.number)) } ?? .null
    }
}
