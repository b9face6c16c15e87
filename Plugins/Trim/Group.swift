/// Blobs near each other: a block of text, a picture, a number, a speck.
struct Group: Sendable {
    var box: Box
    /// In pixels of ink.
    var area = 0
    var blobCount = 0
    /// The longest side of any of its blobs.
    var largest = 0
    /// The blob with the longest side.
    private(set) var longest: Blob

    init(_ blob: Blob) {
        box = blob.box
        longest = blob
        add(blob)
    }

    mutating func add(_ blob: Blob) {
        box = box.union(blob.box)
        area += blob.area
        blobCount += 1
        if blob.box.extent > largest {
            largest = blob.box.extent
            longest = blob
        }
    }
}
