internal import OrderedJSON
internal import PageModel
internal import Processes

/// Text and links of pages in the plug-in protocol.
enum PluginText {
    private static let maximumWords = 1_000_000

    /// Requests a page's text. The result is empty for plug-ins without this request.
    ///
    /// - Parameter picture: the page, for recognition.
    /// - Throws: `PluginProcess.Fault`; the answer's `AdapterError`.
    static func lines(
        _ process: PluginProcess, _ request: JSON, picture: [UInt8]? = nil, seconds: Int
    ) throws -> [TextLine] {
        var lines: [TextLine] = []
        var words = 0
        let end = try process.ask(request, picture: picture, seconds: seconds) { json in
            guard let list = json["line"] else {
                throw PluginProcess.Fault.protocolViolation("has text in an invalid line: \(json.excerpt)")
            }
            guard let line = try line(list, json), words + line.words.count <= maximumWords else {
                throw PluginProcess.Fault.protocolViolation("has an invalid line of text")
            }
            words += line.words.count
            if !line.words.isEmpty { lines.append(line) }
            return nil
        }
        if let refusal = end.refusal {
            if refusal.code == .unsupported { return [] }
            throw refusal
        }
        return lines
    }

    /// Requests a page's links, likewise.
    static func links(_ process: PluginProcess, _ request: JSON, seconds: Int) throws -> [PageLink] {
        var links: [PageLink] = []
        let end = try process.ask(request, seconds: seconds) { json in
            guard let place = json["link"] else {
                throw PluginProcess.Fault.protocolViolation("has links in an invalid line: \(json.excerpt)")
            }
            guard let area = area(place.elements ?? []), links.count < maximumWords else {
                throw PluginProcess.Fault.protocolViolation("has a link without a position")
            }
            if let page = try json.wholeNumber("page", "a link") {
                links.append(PageLink(area, to: .page(page, at: nil)))
            } else if let address = json["address"]?.asString {
                let known = WebAddress(address)
                if known == nil { process.observer?.remarked("has a link that is not a web address") }
                links.append(PageLink(area, to: known.map { .address($0) } ?? .other("an address")))
            } else {
                throw PluginProcess.Fault.protocolViolation("has a link without a target: \(json.excerpt)")
            }
            return nil
        }
        if let refusal = end.refusal {
            if refusal.code == .unsupported { return [] }
            throw refusal
        }
        return links
    }

    private static func line(_ list: JSON, _ json: JSON) throws(PluginProcess.Fault) -> TextLine? {
        guard let elements = list.elements else { return nil }
        let words = elements.compactMap { word -> TextWord? in
            guard let parts = word.elements, parts.count == 5, let area = area(Array(parts.prefix(4))) else {
                return nil
            }
            return JSON.line(parts[4]).map { TextWord($0, area) }
        }
        let turns = try json.wholeNumber("quarterTurns", "a line of text") ?? 0
        guard words.count == elements.count, (0...3).contains(turns) else { return nil }
        let word = json["direction"] ?? .null
        guard word.isNull || word.asString != nil else { return nil }
        let direction = word.asString.map(TextLine.Direction.init) ?? .leftToRight
        return direction.map { TextLine(words, direction: $0, turns: turns) }
    }

    /// Returns an area from four shares of a page. A letter may extend slightly beyond the edge.
    private static func area(_ numbers: [JSON]) -> PageArea? {
        let shares = numbers.compactMap(\.asNumber)
        guard shares.count == 4, numbers.count == 4, shares.allSatisfy({ (-0.05...1.05).contains($0) }),
            shares[0] <= shares[2],
            shares[1] <= shares[3]
        else { return nil }
        return PageArea(left: shares[0], top: shares[1], right: shares[2], bottom: shares[3])
    }
}

extension TextLine {
    /// The line as a sink receives it.
    var forPlugin: JSON {
        let list = words.map { word -> JSON in
            let area = word.area
            return [
                .number(area.left), .number(area.top), .number(area.right), .number(area.bottom), .string(word.text),
            ]
        }
        return ["line": JSON(list), "direction": .string(direction.rawValue), "quarterTurns": .integer(turns)]
    }
}
