internal import PageModel

/// What is print on a page of text, by the company it keeps.
///
/// Letters stand in rows beside others of their height; specks, streaks and stains do not. The rows tell how high letters
/// are on this page, and how dark. What lies near them is print as well, the nearer the smaller it is; pictures are, by
/// their mass; and what is as high as a letter and stands by itself near the text's column may be a number, unless there
/// are many such: then they are specks. What touches the picture's edge, or lies beside the sheet, is never print.
struct Company: Sendable {
    enum Role: Sendable {
        /// It stands in a row of letters.
        case letter
        case picture
        /// Punctuation, accents, single signs and rules near letters; parts of pictures.
        case companion
        /// As large as a letter and by itself, where a number may stand.
        case solitary
        case dirt
    }

    /// For each blob what it is taken for.
    private(set) var roles: [Role]
    /// The usual height of the letters in pixels.
    let letter: Double
    /// How many letters stand in rows of four or more.
    let letterCount: Int
    /// Whether so many signs stand by themselves that most of them must be specks.
    private(set) var isNoisy = false

    private let blobs: [Blob]
    private let rows: Rows
    /// For each blob whether it can be print: neither dirt by its shape, nor at the edge, nor beside the sheet.
    private var isFree: [Bool]
    /// How dark the letters are.
    private let contrast: Int
    private let size: PixelSize
    private let cell: Int

    /// With fewer letters in rows there is nothing to compare with.
    private static let leastLetters = 20
    /// A row of so many letters is no chance.
    private static let longRow = 6
    /// More signs of the size of letters than these stand by themselves on no page: numbers, and some of a table.
    private static let mostSolitary = 8
    /// Up to so many may be a number wherever they stand.
    private static let fewSolitary = 3
    /// How near to the picture's edge the sheet may end, in percent, and how near nothing is printed.
    private static let (rim, brim) = (5.0, 1.2)

    /// Nil where there are too few letters to keep company with.
    ///
    /// - Parameters:
    ///   - mayBe: for each blob whether it may be print by its shape and place.
    ///   - outsideArea: for each blob how many of its pixels lie beside the sheet.
    ///   - unit: the pixels of a 620th of the page's shorter side.
    init?(_ ink: Ink, mayBe: [Bool], outsideArea: [Int], size: PixelSize, unit: Double) {
        let blobs = ink.blobs
        (self.blobs, self.size, cell) = (blobs, size, max(2, Int(2 * unit)))
        let isFree = blobs.indices.map { index in
            mayBe[index] && !blobs[index].box.touchesEdge(of: size) && 2 * outsideArea[index] <= blobs[index].area
        }
        let rows = Rows(blobs, isFree, size: size, unit: unit)
        (self.isFree, self.rows) = (isFree, rows)
        let letters = blobs.indices.filter { rows.length[$0] >= 4 }
        guard letters.count >= Company.leastLetters else { return nil }
        letter = Double(letters.map { blobs[$0].box.height }.sorted()[letters.count / 2])
        contrast = letters.map { blobs[$0].contrast }.sorted()[letters.count / 2]
        letterCount = letters.count
        roles = [Role](repeating: .dirt, count: blobs.count)
        findLettersAndPictures()
        dropSliver(cut: blobs.indices.filter { mayBe[$0] && blobs[$0].box.touchesEdge(of: size) })
        dropRim()
        let long = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= Company.longRow }
        let strong = long.count >= 12 ? long : blobs.indices.filter { roles[$0] == .letter }
        guard let body = Bounds.union(strong.map { blobs[$0].box }) else { return nil }
        let solitary = blobs.indices.filter { isLikeLetter($0) }
        let nearLetters = near([.letter])
        let farCount = solitary.count {
            rows.length[$0] == 1 && nearLetters.distance(blobs[$0].box) > 1.5 * letter
        }
        isNoisy = farCount > Company.mostSolitary
        dropShortRows(strong)
        findCompanions(body)
        let print = blobs.indices.filter { roles[$0] == .letter || roles[$0] == .companion }.map { blobs[$0].box }
        findSolitary(solitary, Bounds.union(print) ?? body, areFew: farCount <= Company.fewSolitary)
    }

    /// How much less than the letters a blob stands out: 1 is as much.
    private func strength(_ index: Int) -> Double { Double(blobs[index].contrast) / Double(max(1, contrast)) }

    /// How far a box lies to the side of the text, and above or below it, in letters.
    private func place(_ box: Bounds, _ body: Bounds) -> (aside: Double, apart: Double) {
        let aside = max(0, body.left - box.left, box.right - body.right)
        let apart = max(0, body.top - box.bottom, box.top - body.bottom)
        return (Double(aside) / letter, Double(apart) / letter)
    }

    private func near(_ roles: Set<Role>) -> NearMap {
        NearMap(size, cell: cell, boxes: blobs.indices.filter { roles.contains(self.roles[$0]) }.map { blobs[$0].box })
    }

    /// Faint letters are print in a long row; in a short one they may be stains, or print of the other side.
    private mutating func findLettersAndPictures() {
        for index in blobs.indices where isFree[index] {
            let (box, strength, length) = (blobs[index].box, strength(index), rows.length[index])
            let isRow = length >= Company.longRow && strength >= 0.35 || length >= 3 && strength >= 0.6
            if isRow, Double(box.height) >= 0.45 * letter {
                roles[index] = .letter
            } else if strength >= 0.6, Double(box.extent) > 2.5 * letter,
                Double(blobs[index].area) >= 2 * letter * letter, 5 * min(box.width, box.height) >= box.extent
            {
                roles[index] = .picture
            }
        }
    }

    /// Takes out letters of the facing page: they stand at the left or right edge, some of them cut by it, and a gap
    /// of one and a half letters parts them from the rest, all the way down.
    private mutating func dropSliver(cut: [Int]) {
        let letters = blobs.indices.filter { isFree[$0] && Double(blobs[$0].box.height) >= 0.4 * letter }
        for isLeft in [true, false] {
            func span(_ index: Int) -> (low: Int, high: Int) {
                let box = blobs[index].box
                return isLeft ? (box.left, box.right) : (size.width - box.right, size.width - box.left)
            }
            let isCut = cut.count {
                span($0).low <= 1 && (0.4 * letter...3 * letter).contains(Double(blobs[$0].box.height))
            }
            guard isCut >= 4 else { continue }
            var changes = [Int](repeating: 0, count: size.width + 1)
            for index in letters {
                changes[span(index).low] += 1
                changes[span(index).high] -= 1
            }
            var (inside, gap, end) = (0, 0, -1)
            for x in 0..<size.width * 15 / 100 {
                inside += changes[x]
                gap = inside == 0 ? gap + 1 : 0
                if Double(gap) >= 1.5 * letter, x > gap { end = x }
            }
            for index in blobs.indices where span(index).high <= end { (roles[index], isFree[index]) = (.dirt, false) }
        }
    }

    /// Takes out of the pictures what lies along the rim of the sheet: an outline is long and thin, whichever way it
    /// turns, and a stain or a dog-ear lies by itself.
    private mutating func dropRim() {
        guard let body = Bounds.union(blobs.indices.filter { roles[$0] == .letter }.map { blobs[$0].box }) else {
            return
        }
        for index in blobs.indices where roles[index] == .picture {
            let (area, box) = (blobs[index].area, blobs[index].box)
            let isAtRim = isAtRim(box, Company.rim)
            let isThin =
                Double(area) <= 0.5 * letter * Double(box.width + box.height)
                || 4 * area <= box.width * box.height && box.extent > size.height / 4
            let isFrame = isThin && (isAtRim || !box.contains(body) && 5 * box.extent > 2 * size.height)
            let apart = max(body.left - box.right, box.left - body.right, body.top - box.bottom, box.top - body.bottom)
            let isAlone = Double(apart) > 2 * letter && (isAtRim || Double(box.extent) < 4 * letter)
            if isFrame || isAlone { roles[index] = .dirt }
        }
    }

    private func isAtRim(_ box: Bounds, _ percent: Double) -> Bool {
        let across = Int(clamping: Double(size.width) * percent / 100, to: 0...size.width)
        let down = Int(clamping: Double(size.height) * percent / 100, to: 0...size.height)
        return box.left < across || box.right > size.width - across || box.top < down
            || box.bottom > size.height - down
    }

    /// Whether a blob outside long rows has the size and the darkness of a letter.
    private func isLikeLetter(_ index: Int) -> Bool {
        let box = blobs[index].box
        guard isFree[index], rows.length[index] < Company.longRow, roles[index] != .picture else { return false }
        return strength(index) >= 0.6 && (0.5 * letter...3 * letter).contains(Double(box.height))
            && Double(box.width) <= 4 * letter && 8 * blobs[index].area >= box.width * box.height
            && box.height <= 5 * box.width
    }

    /// Takes out short rows far from the long ones, unless they are as dark and large as these: a title, a number.
    private mutating func dropShortRows(_ strong: [Int]) {
        let near = NearMap(size, cell: cell, boxes: strong.map { blobs[$0].box })
        for index in blobs.indices where roles[index] == .letter && rows.length[index] < Company.longRow {
            let box = blobs[index].box
            let isClear = strength(index) >= 0.8 && Double(box.height) >= (isNoisy ? 0.8 : 0.5) * letter
            if !isClear || isAtRim(box, isNoisy ? Company.rim : Company.brim), near.distance(box) > 4 * letter {
                roles[index] = .dirt
            }
        }
    }

    private mutating func findCompanions(_ body: Bounds) {
        let (nearLetters, nearPictures) = (near([.letter]), near([.picture]))
        // Marks of one size that come again and again beside letters are full stops.
        var counts: [PixelSize: Int] = [:]
        for index in blobs.indices where isFree[index] && roles[index] == .dirt {
            let box = blobs[index].box
            if Double(box.extent) < 0.5 * letter, nearLetters.distance(box) <= 0.5 * letter {
                counts[box.rect.size, default: 0] += 1
            }
        }
        for index in blobs.indices where isFree[index] && roles[index] == .dirt && strength(index) >= 0.4 {
            let box = blobs[index].box
            let (wide, high) = (Double(box.width) / letter, Double(box.height) / letter)
            let isPart =
                strength(index) >= 0.6 && nearPictures.distance(box) <= 0.7 * letter && !isAtRim(box, Company.rim)
                && 4 * box.height < size.height
            var reach: Double
            let isThin =
                high <= 1 || high <= 2 && wide >= 10 * high
                || high <= 2 && Double(blobs[index].area) <= 0.4 * letter * Double(box.width)
            if wide >= 0.35, wide >= 2.5 * high, isThin {
                // A rule or a dash stands further off, above or below.
                reach = place(box, body).aside >= 2 ? 1 : wide > 3 ? 6 : 4
            } else if high > 4 || wide > 4 && high > 2 {
                reach = -1
            } else if max(wide, high) >= 0.5 {
                reach = 1.8
            } else {
                let isUsual = alike(counts, box.rect.size) >= 4
                reach = max(wide, high) >= (isUsual ? 0.25 : 0.33) ? 1 : 0.5
                if max(wide, high) >= 0.4, strength(index) >= 0.6, !isNoisy { reach = 2 }
            }
            if isPart || nearLetters.distance(box) <= reach * letter { roles[index] = .companion }
        }
    }

    /// How many are of about one size.
    private func alike(_ counts: [PixelSize: Int], _ size: PixelSize) -> Int {
        var sum = 0
        for width in size.width - 1...size.width + 1 {
            for height in size.height - 1...size.height + 1 {
                sum += counts[PixelSize(width: width, height: height), default: 0]
            }
        }
        return sum
    }

    /// Signs by themselves are taken for numbers where numbers stand: in the text's column, or level with its first or
    /// last line. Among specks only pairs are trusted, and what stands close.
    private mutating func findSolitary(_ candidates: [Int], _ body: Bounds, areFew: Bool) {
        for index in candidates where roles[index] == .dirt {
            let box = blobs[index].box
            let (aside, apart) = place(box, body)
            let middle = Double(box.top + box.bottom) / 2
            let isLevel = min(abs(middle - Double(body.top)), abs(middle - Double(body.bottom))) <= 1.5 * letter
            let isPair = rows.length[index] == 2
            var reach: (aside: Double, apart: Double)
            if isNoisy {
                let isClear = isLevel && strength(index) >= 0.8 && Double(box.height) >= 0.8 * letter
                reach = (isClear || isPair && isLevel ? 12 : isPair ? 3 : 1, isPair ? 6 : 3)
                if isAtRim(box, Company.rim), aside > 1 || apart > 3, !isClear, !(isPair && isLevel) { continue }
            } else {
                reach = (isLevel || isPair && apart == 0 ? 12 : 3, max(8, 0.2 * Double(size.height) / letter))
                if areFew, strength(index) >= 0.8 { reach.aside = .infinity }
            }
            if aside <= reach.aside, apart <= reach.apart, !isAtRim(box, Company.brim) { roles[index] = .solitary }
        }
    }

    /// The box around the letters that stand in long rows, or around all where there are none.
    var text: Bounds? {
        Bounds.union(
            blobs.indices.lazy.filter { roles[$0] == .letter && rows.length[$0] >= Company.longRow }.map {
                blobs[$0].box
            })
    }

    /// Whether there is so much more of pictures than of letters that the page is to be looked at as art.
    ///
    /// - Parameters:
    ///   - mayBe: for each blob whether it may be print at all.
    ///   - isScan: whether the paper has a grain: then outlines and what touches the edges are no sign of art.
    func isArt(_ mayBe: [Bool], isScan: Bool) -> Bool {
        let isLittleText = letterCount < 120
        if !isScan, tonedSides(mayBe) >= 3 { return true }
        var (letters, art) = (0, 0)
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            let box = blob.box
            if roles[index] == .letter {
                letters += blob.area
            } else if Double(box.extent) > 4 * letter, blob.deepArea * 2 > blob.area {
                if !isScan, isLittleText, 8 * min(box.width, box.height) >= size.width { return true }
                let isDense = 4 * blob.area > box.width * box.height
                // What lies beside the sheet is narrower than a picture that runs off the page.
                let isWide = 5 * min(box.width, box.height) >= size.width
                if !isScan || isDense && (isFree[index] || isWide) { art += blob.area }
            }
        }
        return 2 * art > (isScan && !isLittleText ? 8 : 3) * letters
    }

    /// On how many sides so many blobs touch the edge that it must be screentone.
    private func tonedSides(_ mayBe: [Bool]) -> Int {
        var counts = [0, 0, 0, 0]
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            if blob.box.left == 0 { counts[0] += 1 }
            if blob.box.top == 0 { counts[1] += 1 }
            if blob.box.right == size.width { counts[2] += 1 }
            if blob.box.bottom == size.height { counts[3] += 1 }
        }
        return counts.count { $0 > 30 }
    }
}
