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
    var roles: [Role]
    /// The usual height of the letters in pixels.
    let letter: Double
    /// How many letters stand in rows of four or more.
    let letterCount: Int
    /// Whether so many signs stand by themselves that most of them must be specks.
    private(set) var isNoisy = false
    /// The boxes of signs that are print only if others stand at their place on other pages: numbers, signatures.
    var doubtful: [Bounds] = []

    let blobs: [Blob]
    var rows: Rows
    /// For each blob whether it can be print: neither dirt by its shape, nor at the edge, nor beside the sheet.
    var isFree: [Bool]
    /// For each blob whether most of it lies beside the sheet.
    let isBeside: [Bool]
    let size: PixelSize
    /// How dark the letters are, and how sharp their edges.
    private let contrast: Int
    let sharpness: Double
    /// The side of a cell of the maps of distances, in pixels.
    private let cell: Int

    /// With fewer letters in rows there is nothing to compare with.
    private static let leastLetters = 20
    /// A row of so many letters is no chance.
    static let longRow = 6
    /// How near to the picture's edge the sheet may end, in percent, and how near nothing is printed.
    static let (rim, brim) = (5.0, 1.2)
    /// How near to it charts and rulers lie, in percent.
    static let margin = 8.0

    /// How sharp the edges of print are at least, where those of most letters are 1.
    ///
    /// The figures lie between what was print and what was stains, shade and show-through on 188 pages of ten scanned books
    /// whose print people had marked: no other property tells these apart as well.
    enum Sharpness {
        /// Of the letters of a row of four or so; there are fewer doubts about one of 30.
        static let (shortRow, longRow) = (0.55, 0.2)
        static let picture = 0.5
        /// Of what has no neighbours, and of what stands close to letters.
        static let (sign, companion) = (0.62, 0.38)
        /// Of pencil and pale stamps.
        static let faint = 0.25
        /// Of the marks of writing, on average: where some of them stand in a row, and where they do not.
        static let words = (inRows: 0.35, apart: 0.45)
    }

    /// Nil where there are too few letters to keep company with.
    ///
    /// - Parameters:
    ///   - mayBe: for each blob whether it may be print by its shape and place.
    ///   - outsideArea: for each blob how many of its pixels lie beside the sheet.
    ///   - unit: the pixels of a 620th of the page's shorter side.
    ///   - isScan: whether the paper has a grain, and with it pencil and stamps paler than the text.
    init?(_ ink: Ink, mayBe: [Bool], outsideArea: [Int], size: PixelSize, unit: Double, isScan: Bool) {
        let blobs = ink.blobs
        (self.blobs, self.size) = (blobs, size)
        let isBeside = blobs.indices.map { 2 * outsideArea[$0] > blobs[$0].area }
        let isFree = blobs.indices.map {
            mayBe[$0] && !blobs[$0].box.touchesEdge(of: size) && !isBeside[$0]
        }
        self.isBeside = isBeside
        let rows = Rows(blobs, isFree, size: size, unit: unit)
        (self.isFree, self.rows) = (isFree, rows)
        let letters = blobs.indices.filter { rows.length[$0] >= 4 }
        guard letters.count >= Company.leastLetters else { return nil }
        letter = Double(letters.map { blobs[$0].box.height }.sorted()[letters.count / 2])
        cell = Int(clamping: max(letter / 5, 3 * unit), to: 3...1_000_000)
        contrast = letters.map { blobs[$0].contrast }.sorted()[letters.count / 2]
        sharpness = letters.map { blobs[$0].sharpness }.sorted()[letters.count / 2]
        letterCount = letters.count
        roles = [Role](repeating: .dirt, count: blobs.count)

        findLettersAndPictures()
        if isScan { dropDoubtfulRows() }
        dropSliver(cut: blobs.indices.filter { mayBe[$0] && blobs[$0].box.touchesEdge(of: size) })
        dropRim()
        dropChartsAndRulers()
        dropRulers()
        let long = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= Company.longRow }
        let strong = long.count >= 12 ? long : blobs.indices.filter { roles[$0] == .letter }
        guard let body = Bounds.union(strong.map { blobs[$0].box }) else { return nil }
        let streaks = dropStreaks(beside: body)
        if !isScan { dropOutline(around: body, streaks) }
        let signs = blobs.indices.filter { isLikeLetter($0) }
        let nearStrong = near(strong)
        let farCount = signs.count {
            rows.length[$0] == 1 && nearStrong.distance(blobs[$0].box) > 1.5 * letter
        }
        isNoisy = farCount > Company.mostSolitary
        dropShortRows(awayFrom: nearStrong)
        findCompanions(body)
        let print = blobs.indices.filter { roles[$0] == .letter || roles[$0] == .companion }.map {
            blobs[$0].box
        }
        findSolitary(signs, Bounds.union(print) ?? body, areFew: farCount <= Company.fewSolitary)
        if isScan { findFaintRows() }
        findWriting()
        findDots()
        findFragments()
        findDoubtful(signs)
    }

    /// More signs of the size of letters than these stand by themselves on no page: numbers, and some of a table.
    private static let mostSolitary = 8
    /// Up to so many may be a number wherever they stand.
    private static let fewSolitary = 3

    /// How dark a blob is beside the letters: 1 is as dark.
    func strength(_ index: Int) -> Double { Double(blobs[index].contrast) / Double(max(1, contrast)) }

    /// How sharp a blob's edges are beside those of the letters: 1 is as sharp.
    func sharpness(_ index: Int) -> Double { blobs[index].sharpness / max(1, sharpness) }

    /// How dark a part of a mixed blob must be to be looked at by itself.
    var leastContrast: Int { contrast * 3 / 5 }

    /// How far a box lies to the side of the text, and above or below it, in letters.
    func place(_ box: Bounds, _ body: Bounds) -> (aside: Double, apart: Double) {
        let aside = max(0, body.left - box.left, box.right - body.right)
        let apart = max(0, body.top - box.bottom, box.top - body.bottom)
        return (Double(aside) / letter, Double(apart) / letter)
    }

    /// How far each place is from the blobs of some roles.
    func near(_ roles: Set<Role>) -> NearMap {
        near(blobs.indices.filter { roles.contains(self.roles[$0]) })
    }

    /// How far each place is from some blobs.
    func near(_ chosen: [Int]) -> NearMap {
        NearMap(size, cell: cell, boxes: chosen.map { blobs[$0].box })
    }

    /// Whether a box reaches nearer to an edge of the picture than so many percent of its sides.
    func isAtRim(_ box: Bounds, _ percent: Double) -> Bool {
        let across = Int(clamping: Double(size.width) * percent / 100, to: 0...size.width)
        let down = Int(clamping: Double(size.height) * percent / 100, to: 0...size.height)
        return box.left < across || box.right > size.width - across || box.top < down
            || box.bottom > size.height - down
    }

    /// The box around the letters that stand in long rows; nil where there are none.
    var text: Bounds? {
        Bounds.union(
            blobs.indices.lazy.filter { roles[$0] == .letter && rows.length[$0] >= Company.longRow }.map {
                blobs[$0].box
            })
    }
}
