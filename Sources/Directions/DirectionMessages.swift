public import AdapterKit
public import OrderedJSON
public import PageModel

extension ReadingDirection {
    /// The reason for the direction, as a sentence fragment.
    public var reason: Message {
        contrary.map { "\(evidence.message), although \($0.message)" } ?? evidence.message
    }

    /// The note on a direction that was not stated.
    public var note: Warning {
        let (message, shared, hint): (Message, Message, Message) =
            direction == .rightToLeft
            ? (
                "took right to left as the reading direction, because \(reason)",
                "took right to left as the reading direction", "use --direction ltr to change it"
            )
            : (
                "took left to right as the reading direction, because \(reason)",
                "took left to right as the reading direction", "use --direction rtl to change it"
            )
        return Warning(code: "reading-direction", message: message, hint: hint, isNote: true).shared(shared)
    }

    /// The direction and its evidence, as in reports.
    public var json: JSON {
        [
            "direction": .string(direction.rawValue), "evidence": .string(evidence.hint.rawValue),
            "reason": JSON(reason),
        ]
    }
}

extension ReadingDirection.Evidence {
    fileprivate var message: Message {
        let count: Message = pages.map { "\($0.agreeing) of \($0.of) pages" } ?? "pages"
        return switch hint {
        case .option: "--direction states it"
        case .metadataFile: "--metadata states it"
        case .source: "the input states it"
        case .manga: "its ComicInfo.xml says that it is a manga"
        case .script, .language: "its language is \(language ?? "?")"
        case .text: "the text of \(count) runs in vertical lines or from right to left"
        case .verticalLines: "\(count) with lines of text have vertical ones"
        case .pageNumbers:
            direction == .leftToRight
                ? "odd page numbers are at the right on \(count)" : "odd page numbers are at the left on \(count)"
        case .genre: "its genre is Manga"
        case .horizontalLines: "\(count) with lines of text have horizontal ones"
        case .nothing: "nothing says otherwise"
        }
    }
}
