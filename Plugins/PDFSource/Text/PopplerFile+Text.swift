internal import CPoppler
internal import PageModel

extension PopplerFile {
    /// The maximum number of characters on a page.
    private static let maximumCharacters = 1_000_000

    /// Returns the text in a page's crop box, in reading order.
    func text(onPage index: Int, of file: [UInt8]? = nil) throws(AdapterError) -> [TextLine] {
        if let file { return try PopplerFile(MemoryBytes(file), password: nil).text(onPage: index) }
        return try rethrowingReadErrors { () throws(AdapterError) in
            let page = try self.page(index)
            defer { library.g_object_unref(UnsafeMutableRawPointer(page)) }
            let (width, height) = try size(of: page)
            let found = PopplerDiagnostics.during { Result { () throws(AdapterError) in try characters(on: page) } }.0
            return TextLayout(try found.get(), width: width, height: height).lines
        }
    }

    /// Returns all characters on a page, each with its place in points, from the top left corner of the visible part.
    ///
    /// Poppler's GLib interface cannot return all text. It returns a selection from one corner to another, and treats the corners
    /// as the first and the last point in reading order. So the corners are far beyond the page's edges, in each possible reading
    /// direction; the wrong directions return less text.
    private func characters(on page: OpaquePointer) throws(AdapterError) -> [TextLayout.Character] {
        let far = 1e6
        var best: [TextLayout.Character] = []
        for (from, to) in [((-far, -far), (far, far)), ((far, -far), (-far, far)), ((far, -far), (far, far))] {
            let found = try selection(_PopplerRectangle(x1: from.0, y1: from.1, x2: to.0, y2: to.1), on: page)
            if found.count > best.count { best = found }
        }
        return best
    }

    private func selection(
        _ area: _PopplerRectangle, on page: OpaquePointer
    ) throws(AdapterError) -> [TextLayout.Character] {
        var area = area
        guard let text = library.poppler_page_get_text_for_area(page, &area) else { return [] }
        defer { library.g_free(text) }
        var (boxes, count): (UnsafeMutablePointer<_PopplerRectangle>?, CUnsignedInt) = (nil, 0)
        guard library.poppler_page_get_text_layout_for_area(page, &area, &boxes, &count) != 0, let boxes else {
            return []
        }
        defer { library.g_free(boxes) }
        guard count <= PopplerFile.maximumCharacters else {
            throw AdapterError(.tooLarge, "the page has more than \(PopplerFile.maximumCharacters) characters")
        }
        // Poppler adds marks around right-to-left text, which have no places.
        var scalars = Array(String(cString: text).unicodeScalars)
        if scalars.count != Int(count) { scalars.removeAll { (0x202A...0x202C).contains($0.value) } }
        guard scalars.count == Int(count) else {
            throw AdapterError(.damaged, "the positions of its characters are unknown")
        }
        return zip(scalars, UnsafeBufferPointer(start: boxes, count: Int(count))).map { scalar, box in
            TextLayout.Character(
                scalar: scalar,
                box: PageArea(
                    left: min(box.x1, box.x2), top: min(box.y1, box.y2), right: max(box.x1, box.x2),
                    bottom: max(box.y1, box.y2)))
        }
    }
}
