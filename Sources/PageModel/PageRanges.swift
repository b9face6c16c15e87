/// Page numbers in the usual notation: "page 7", "pages 1-5, 9 and 12-14".
public struct PageRanges: Hashable, Sendable {
    /// The maximum number of ranges in one line.
    public static let maximumRanges = 20

    /// The ranges in ascending order, with gaps between them.
    public private(set) var ranges: [ClosedRange<Int>] = []
    public private(set) var count = 0

    /// - Parameter numbers: in any order; each counts once.
    public init(_ numbers: some Sequence<Int>) {
        for number in Set(numbers).sorted() {
            count += 1
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// The numbers alone: "1-5, 9 and 12-14". Two that follow each other stand by themselves.
    public var numbers: Message {
        var words = ranges.prefix(PageRanges.maximumRanges).flatMap { range -> [Message] in
            switch range.count {
            case 1: ["\(range.lowerBound)"]
            case 2: ["\(range.lowerBound)", "\(range.upperBound)"]
            default: ["\(range.lowerBound)-\(range.upperBound)"]
            }
        }
        let rest = ranges.dropFirst(PageRanges.maximumRanges).reduce(0) { $0 + $1.count }
        if rest > 0 { words.append("\(rest) more") }
        return words.listed()
    }

    /// The numbers with their noun.
    public var text: Message { count == 1 ? "page \(numbers)" : "pages \(numbers)" }
}
