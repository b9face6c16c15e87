/// The result of analyzing a page, and the decision about it.
///
/// A plug-in defines its findings, puts them into `Page.findings`, and describes them here for reports. A finding needs
/// a remark and its members of a report.
public protocol PageFinding: Hashable, Sendable {
    /// The decision and its reason; a sentence fragment.
    var remark: Message { get }

    /// Whether it is about the image of the page, and not about the page's place among the others.
    ///
    /// The parts of a merged page keep their findings about images in reports.
    var isOfImage: Bool { get }

    /// Whether it asks for a crop of the page. Its remark does not hold if the conversion finds too little to cut off.
    var crops: Bool { get }

    /// Returns the counts in the summary of a book to which it adds the page.
    ///
    /// A page is in one count of those that have a reason, and in none if a finding of it crops.
    ///
    /// - Parameter isCut: whether a requested crop is made. The conversion makes none that cuts off too little.
    func counts(isCut: Bool) -> [FindingCount]

    /// The damage of the page's data that the analysis found; nil for intact data.
    var damage: Message? { get }

    /// Returns the keys of the finding in the report on the page, and their values.
    ///
    /// - Parameter side: the page's place in a spread.
    func members(side: Side) -> [(key: String, value: FindingValue)]
}

extension PageFinding {
    public var isOfImage: Bool { true }

    public var crops: Bool { false }

    public func counts(isCut: Bool) -> [FindingCount] { [] }

    public var damage: Message? { nil }
}

/// A value of a finding in a report.
public enum FindingValue: Hashable, Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    /// A box in pixels of the upright image; nil without one.
    case box(PixelRect?)
}

extension [any PageFinding] {
    /// The finding of a type; nil if no transform made one.
    ///
    /// A finding replaces an earlier one of its type. Others are in the order of the transforms.
    public subscript<Finding: PageFinding>(_ type: Finding.Type) -> Finding? {
        get { lazy.compactMap { $0 as? Finding }.first }
        set {
            let index = firstIndex { $0 is Finding }
            switch (index, newValue) {
            case (let index?, let finding?): self[index] = finding
            case (let index?, nil): remove(at: index)
            case (nil, let finding?): append(finding)
            case (nil, nil): break
            }
        }
    }

    /// The findings about the page's image.
    public var ofImage: [any PageFinding] { filter { $0.isOfImage } }

    /// The findings about the page's place among the others.
    public var ofPlace: [any PageFinding] { filter { !$0.isOfImage } }
}
