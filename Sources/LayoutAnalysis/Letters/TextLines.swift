internal import PageModel

/// The limits of the search for lines of text. See `LetterPieceLimits` for the measurement.
enum TextLineLimits {
    /// The maximum overlap of two letters of a line, in heights of letters, as in italics.
    static let maximumOverlap = 0.5
    /// The minimum height that two letters have in common, as a fraction of the lower one's.
    static let minimumCommonHeight = 0.4
    /// The minimum number of letters and the minimum length of a line (in heights of letters) for a result: shorter ones
    /// show no curve.
    static let (minimumLetters, minimumLength) = (6, 8.0)
    /// The minimum distance of a line's ends from the page's edge, in heights of letters: a line that is cut belongs to
    /// another page.
    static let minimumMargin = 0.4
    /// The distance above which letters are further apart than words, and must be at the same height, within this
    /// tolerance. Both are in heights of letters.
    static let (wordGap, sameHeight) = (2.0, 0.25)
    /// The range of the numbers of squares that hold letters. Only a guard: a square is larger than a letter.
    static let squares = -1000...10000
}

/// A search for sequences of letters in lines of text.
///
/// Each letter is linked with the nearest one to its right at about its height, if that one's nearest to its left is this letter.
/// A chain of links is a line, or a part of one.
package struct TextLines: Sendable {
    /// The letters of each line, from left to right.
    package private(set) var lines: [[Letters.Piece]] = []

    /// - Parameters:
    ///   - height: the usual height of a letter.
    ///   - width: the width of the page. A line that crosses its edge belongs to another page.
    ///   - maximumGap: the maximum distance between letters of a line, in heights of letters.
    package init(_ pieces: [Letters.Piece], height: Double, width: Double, maximumGap: Double) {
        let cells = Cells(pieces, side: maximumGap * height)
        func distance(_ one: Int, _ next: Int) -> Double {
            TextLines.distance(pieces[one], pieces[next], height, maximumGap: maximumGap)
        }
        let next = pieces.indices.map { index in
            let (reach, piece) = (maximumGap * height, pieces[index])
            let near = cells.places(
                across: piece.right - TextLineLimits.maximumOverlap * height...piece.right + reach,
                down: piece.top...piece.bottom)
            let nearest = near.min { distance(index, $0) < distance(index, $1) }
            return nearest.flatMap { distance(index, $0) < .infinity ? $0 : nil }
        }
        // The nearest of all letters that have the same next letter.
        var previous = [Int?](repeating: nil, count: pieces.count)
        for (index, found) in next.enumerated() {
            guard let found else { continue }
            if let rival = previous[found], distance(rival, found) <= distance(index, found) { continue }
            previous[found] = index
        }
        for start in pieces.indices where previous[start] == nil {
            var line = [pieces[start]]
            var last = start
            while let following = next[last], previous[following] == last {
                line.append(pieces[following])
                last = following
            }
            if line.count >= TextLineLimits.minimumLetters,
                pieces[last].right - pieces[start].left >= TextLineLimits.minimumLength * height,
                pieces[start].left > TextLineLimits.minimumMargin * height,
                pieces[last].right < width - TextLineLimits.minimumMargin * height
            {
                lines.append(line)
            }
        }
    }

    /// Returns the distance from one letter to the next; infinite if they are not in sequence.
    private static func distance(
        _ one: Letters.Piece, _ next: Letters.Piece, _ height: Double, maximumGap: Double
    ) -> Double {
        let gap = next.left - one.right
        let shared = min(one.bottom, next.bottom) - max(one.top, next.top)
        guard next.middle > one.middle,
            (-TextLineLimits.maximumOverlap * height...maximumGap * height).contains(gap),
            shared >= TextLineLimits.minimumCommonHeight * min(one.bottom - one.top, next.bottom - next.top)
        else { return .infinity }
        if gap > TextLineLimits.wordGap * height,
            min(abs(next.bottom - one.bottom), abs(next.top - one.top)) > TextLineLimits.sameHeight * height
        {
            return .infinity
        }
        return max(0, gap) + abs(next.top + next.bottom - one.top - one.bottom)
    }
}

/// The letters by the square of the page with their left edge and middle height.
private struct Cells {
    private let side: Double
    private let across: ClosedRange<Int>
    private let down: ClosedRange<Int>
    private var members: [[Int]]

    init(_ pieces: [Letters.Piece], side: Double) {
        self.side = side
        func cell(_ place: Double) -> Int {
            Int(clamping: (place / side).rounded(.down), to: TextLineLimits.squares)
        }
        let places = pieces.map { (cell($0.left), cell(($0.top + $0.bottom) / 2)) }
        across = (places.map(\.0).min() ?? 0)...(places.map(\.0).max() ?? 0)
        down = (places.map(\.1).min() ?? 0)...(places.map(\.1).max() ?? 0)
        members = [[Int]](repeating: [], count: across.count * down.count)
        for (index, place) in places.enumerated() {
            members[(place.1 - down.lowerBound) * across.count + place.0 - across.lowerBound].append(index)
        }
    }

    /// Returns the letters in the squares that a rectangle touches, and in those above and below.
    func places(across columns: ClosedRange<Double>, down rows: ClosedRange<Double>) -> [Int] {
        func cells(_ range: ClosedRange<Double>, _ more: Int, _ whole: ClosedRange<Int>) -> ClosedRange<Int> {
            let first = Int(clamping: (range.lowerBound / side).rounded(.down), to: TextLineLimits.squares) - more
            let last = Int(clamping: (range.upperBound / side).rounded(.down), to: TextLineLimits.squares) + more
            return (first...max(first, last)).clamped(to: whole)
        }
        var found: [Int] = []
        for row in cells(rows, 1, down) {
            for column in cells(columns, 0, across) {
                found += members[(row - down.lowerBound) * across.count + column - across.lowerBound]
            }
        }
        return found
    }
}
