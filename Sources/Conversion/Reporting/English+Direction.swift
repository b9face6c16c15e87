public import AdapterKit
internal import PageModel

extension ReadingDirection {
    /// The reason for the direction, in English, as a sentence fragment.
    public var reason: String {
        evidence.english + (contrary.map { ", although \($0.english)" } ?? "")
    }

    /// The note on a direction that was not stated.
    public var line: String {
        let (taken, other) = direction == .rightToLeft ? ("right to left", "ltr") : ("left to right", "rtl")
        return "took \(taken) as the reading direction, because \(reason); use --direction \(other) to change it"
    }

    /// The direction and its evidence, as in reports.
    public var json: JSON {
        ["direction": .string(direction.rawValue), "by": .string(evidence.hint.rawValue), "reason": .string(reason)]
    }
}

extension ReadingDirection.Evidence {
    fileprivate var english: String {
        let count = pages.map { "\($0.agreeing) of \($0.of) pages" } ?? "pages"
        return switch hint {
        case .option: "--direction states it"
        case .metadataFile: "--metadata states it"
        case .source: "the input states it"
        case .manga: "its ComicInfo.xml says that it is a manga"
        case .script, .language: "its language is \(language ?? "?")"
        case .text: "the text of \(count) runs in vertical lines or from right to left"
        case .verticalLines: "\(count) that show lines of text show vertical ones"
        case .pageNumbers:
            "odd page numbers stand at the \(direction == .leftToRight ? "right" : "left") on \(count)"
        case .genre: "its genre is Manga"
        case .horizontalLines: "\(count) that show lines of text show horizontal ones"
        case .nothing: "nothing says otherwise"
        }
    }
}
