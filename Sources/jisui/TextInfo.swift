internal import AdapterKit
internal import OrderedJSON
internal import PageModel

extension BookInfo {
    /// The text of all pages, and the targets of their links, safe to show.
    var textOfPages: String {
        guard pages.contains(where: { $0.text.map { !$0.lines.isEmpty || !$0.links.isEmpty } ?? false }) else {
            let nothing: Message =
                pages.count == 1
                ? "\(input.name): no text and no links in its page; words in images are not read"
                : "\(input.name): no text and no links in any of its \(pages.count) pages; words in images are not read"
            return Terminal.safe(nothing.localized)
        }
        let blocks = pages.map { info in
            let label = info.page.label.flatMap { $0 == String(info.page.id) ? nil : " (\($0))" } ?? ""
            let name: Message = "\(page: info.page.name)"
            var lines = ["\(info.page.id)\(label)  \(name.localized)"]
            guard let text = info.text else { return lines + [Language.translated("  unreadable")] }
            lines += text.lines.map { "  \($0.text)" }
            lines += text.links.map { "  -> \($0.target.message.localized)" }
            return text.lines.isEmpty && text.links.isEmpty ? lines + [Language.translated("  no text")] : lines
        }
        return Terminal.safe(heading.localized) + "\n"
            + blocks.map { $0.map(Terminal.safe).joined(separator: "\n") }.joined(separator: "\n\n")
    }
}

extension TextLine {
    /// - Parameter size: the page's size in pixels.
    func json(_ size: PixelSize?) -> JSON {
        [
            "direction": .string(direction.rawValue), "rotation": .integer(90 * turns), "text": .string(text),
            "box": area?.json(size) ?? .null,
            "words": JSON(words.map { ["text": .string($0.text), "box": $0.area.json(size)] }),
        ]
    }
}

extension PageLink {
    /// - Parameter size: the page's size in pixels.
    func json(_ size: PixelSize?) -> JSON {
        var members: [(key: String, value: JSON)] = [("box", area.json(size))]
        switch target {
        case .page(let number, let point):
            members.append(("page", .integer(number)))
            if let point { members.append(("at", [PageArea.json(point.across), PageArea.json(point.down)])) }
        case .address(let address): members.append(("address", .string(address.text)))
        case .other(let what): members.append(("other", .string(what)))
        }
        return .object(members)
    }
}

extension LinkTarget {
    fileprivate var message: Message {
        switch self {
        case .page(let number, _): "page \(number)"
        case .address(let address): Message(verbatim: address.text)
        case .other(let what): Message(verbatim: what)
        }
    }
}

extension PageArea {
    /// Returns the rectangle as [x, y, width, height]: in pixels to a hundredth if the page's size is known, otherwise in shares
    /// of it.
    fileprivate func json(_ size: PixelSize?) -> JSON {
        guard let size else { return JSON([left, top, width, height].map(PageArea.json)) }
        let (across, down) = (Double(size.width), Double(size.height))
        return JSON(
            [left * across, top * down, width * across, height * down].map { .number(($0 * 100).rounded() / 100) })
    }

    /// Returns a share to six decimals.
    fileprivate static func json(_ share: Double) -> JSON { .number((share * 1_000_000).rounded() / 1_000_000) }
}
