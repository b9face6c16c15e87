internal import PageModel

// The text and the links of a page that is shown only in part.

extension PageArea {
    /// Returns the area relative to a part of its page; nil if its middle is outside.
    fileprivate func shown(in part: PageArea) -> PageArea? {
        guard part.contains(center) else { return nil }
        let area = PageArea(
            left: (left - part.left) / part.width, top: (top - part.top) / part.height,
            right: (right - part.left) / part.width, bottom: (bottom - part.top) / part.height
        ).intersection(.page)
        return area.isEmpty ? nil : area
    }
}

extension [TextLine] {
    /// Returns the words in a part of the page.
    func shown(in part: PageArea) -> [TextLine] {
        if part == .page { return self }
        return compactMap { line in
            let words = line.words.compactMap { word in
                word.area.shown(in: part).map { TextWord(word.text, $0) }
            }
            return words.isEmpty ? nil : TextLine(words, direction: line.direction, turns: line.turns)
        }
    }
}

extension [PageLink] {
    /// Returns the links in a part of the page.
    func shown(in part: PageArea) -> [PageLink] {
        if part == .page { return self }
        return compactMap { link in link.area.shown(in: part).map { PageLink($0, to: link.target) } }
    }
}
