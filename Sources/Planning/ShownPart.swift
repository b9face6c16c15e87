internal import PageModel

// The place of an image on its page, if it shows only a part of the page.

extension PixelSize {
    /// Returns the size of a page, if an image of this size shows a part of it.
    func filling(_ part: PageArea) -> PixelSize {
        func whole(_ length: Int, _ share: Double) -> Int {
            Int(clamping: (Double(length) / max(share, 0.01)).rounded(), to: length...1 << 30)
        }
        if part == .page { return self }
        return PixelSize(width: whole(width, part.right - part.left), height: whole(height, part.bottom - part.top))
    }
}

extension PixelRect {
    /// Creates the place of an image on its page, if it shows a part of the page.
    init(_ size: PixelSize, at part: PageArea) {
        let whole = size.filling(part)
        func place(_ share: Double, _ length: Int, _ whole: Int) -> Int {
            Int(clamping: (share * Double(whole)).rounded(), to: 0...max(0, whole - length))
        }
        self.init(
            x: place(part.left, size.width, whole.width), y: place(part.top, size.height, whole.height), size)
    }
}
