package import PageModel

/// A group of blobs near each other: a block of text, an image, a number, a speck.
package struct Group: Sendable {
    package private(set) var box: Bounds
    /// The number of ink pixels.
    package private(set) var area = 0
    package private(set) var blobCount = 0
    /// The longest side of any of its blobs.
    package private(set) var largest = 0
    /// The blob with the longest side.
    package private(set) var longest: ConnectedComponent

    init(_ blob: ConnectedComponent) {
        box = blob.box
        longest = blob
        add(blob)
    }

    mutating func add(_ blob: ConnectedComponent) {
        box = box.union(blob.box)
        area += blob.area
        blobCount += 1
        if blob.box.extent > largest {
            largest = blob.box.extent
            longest = blob
        }
    }
}

/// The grouping of blobs that are near each other, over a grid of cells: blobs in cells that touch are together.
package struct Grouping {
    package private(set) var groups: [Group] = []

    /// - Parameters:
    ///   - ink: its content blobs get their groups' numbers.
    ///   - isContent: whether each blob takes part.
    ///   - cell: a cell's side, in pixels. Gaps up to that are bridged, gaps wider than twice that never.
    package init(_ ink: inout ForegroundMask, _ isContent: [Bool], size: PixelSize, cell: Int) {
        let across = (size.width + cell - 1) / cell
        let down = (size.height + cell - 1) / cell
        var isInk = [Bool](repeating: false, count: across * down)
        for run in ink.runs where isContent[Int(run.blob)] {
            let row = Int(run.row) / cell * across
            for column in Int(run.start) / cell...Int(run.end - 1) / cell { isInk[row + column] = true }
        }
        let cells = GridComponents(isInk, across: across, .sidesAndCorners)
        var numbers = [Int?](repeating: nil, count: cells.count)
        var isSeen = [Bool](repeating: false, count: ink.blobs.count)
        for run in ink.runs where isContent[Int(run.blob)] && !isSeen[Int(run.blob)] {
            isSeen[Int(run.blob)] = true
            let place = Int(run.row) / cell * across + Int(run.start) / cell
            guard let component = cells.numbers[place] else { continue }
            let blob = ink.blobs[Int(run.blob)]
            let number = numbers[component] ?? groups.count
            if number == groups.count {
                groups.append(Group(blob))
            } else {
                groups[number].add(blob)
            }
            numbers[component] = number
            ink.blobs[Int(run.blob)].group = number
        }
    }
}
