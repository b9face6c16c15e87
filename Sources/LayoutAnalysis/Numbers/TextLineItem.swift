/// The limits of items that are possible numbers and heads.
///
/// A unit is a 620th of the page's shorter side. Chosen on synthetic books; `docs/accuracy.md` has the number of page
/// numbers found. No separate measurement of these values is recorded.
enum TextLineItemLimits {
    /// The heights of a number or head, in units: 0.8 to 4 mm on a page of a paperback. A title may be larger.
    static let heights = 5.0...24.0
    /// The minimum gap after a strip, in heights of the strip: lines of one text are closer to each other.
    static let minimumGap = 1.2
    /// The maximum number of strips: a number, a head, and one of each for the other half of a spread.
    static let maximumStrips = 4
    /// The maximum number of blobs of a number: digits are one blob each, and a few symbols may surround them.
    static let maximumDigits = 6
    /// The maximum ratio of a number's width to its height.
    static let numberWidth = Ratio(9, 2)
    /// The maximum height of the following lines, as a ratio to that of the first one.
    static let followingHeight = 1.35
    /// The ratio of the first distance between lines to the second below which the first line is text.
    static let followingDistance = 1.4
}

/// A candidate in pixels of the preview: an isolated item at the top or bottom of the page.
package struct TextLineItem: Sendable {
    /// The indexes of its groups in the groups of the reading.
    package internal(set) var members: [Int]
    package internal(set) var box: Bounds
    package internal(set) var blobCount: Int
    package internal(set) var isAtTop: Bool
    /// The indexes of its blobs in the mask, if it does not consist of whole groups.
    package internal(set) var blobs: [Int] = []
    /// The box without rules and stray marks, if it is a head that may have some.
    package internal(set) var core: Bounds?
    var shape: LineShape?
    /// The shape of its longest piece, if it consists of several.
    var mainShape: LineShape?
    /// Whether the text's lines extend beyond it on both sides, and whether it is short and centered over them.
    var (isInset, isCentered) = (false, false)
    /// Whether its distance from the text is more than that between lines.
    package var isSeparate = false
    /// Whether it is the only item in its line, at the right end of it.
    var isAtRightEnd = false
    /// Whether it is the only item in its line, and digits between brackets with blanks.
    var isInBrackets = false
    /// Whether it is in the middle of its line with a separate number at one end.
    var isWithNumber = false
    /// Whether the gap between a number and a head is so small that it may be a word space.
    var isTight = false
    /// Whether its line stands apart from the text, and whether the line is set like those of the text.
    var (standsApart, isLikeText) = (false, false)
    /// Whether the lines below fill the text from edge to edge.
    var isAboveFullLines = false
    /// Whether another number is above its line.
    var isBelowNumber = false
    /// Whether it may be a number: digits are narrow and one blob each, and a few symbols may surround them.
    package internal(set) var isNumberLike: Bool

    package init(members: [Int], box: Bounds, blobCount: Int, isAtTop: Bool, blobs: [Int] = []) {
        (self.members, self.box, self.blobCount) = (members, box, blobCount)
        (self.isAtTop, self.blobs) = (isAtTop, blobs)
        isNumberLike = TextLineItem.isNumberLike(box, blobCount)
    }

    static func isNumberLike(_ box: Bounds, _ blobCount: Int) -> Bool {
        blobCount <= TextLineItemLimits.maximumDigits
            && box.width.isAtMost(TextLineItemLimits.numberWidth, of: box.height)
    }

    /// Returns a copy with the properties of the line in which it is.
    func set(_ setting: LineSetting, isBelowNumber: Bool) -> TextLineItem {
        var copy = self
        (copy.standsApart, copy.isLikeText) = (setting.standsApart, setting.isLikeText)
        copy.isAboveFullLines = setting.isAboveFullLines
        copy.isBelowNumber = isBelowNumber
        return copy
    }

    mutating func add(_ blob: Int, _ box: Bounds) {
        self.box = self.box.union(box)
        blobs.append(blob)
        blobCount += 1
        isNumberLike = TextLineItem.isNumberLike(self.box, blobCount)
    }

    /// Adds a group of the reading.
    mutating func add(_ group: Group, at index: Int) {
        members.append(index)
        box = box.union(group.box)
        blobCount += group.blobCount
        isNumberLike = TextLineItem.isNumberLike(box, blobCount)
    }
}
