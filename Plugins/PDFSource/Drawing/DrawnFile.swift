internal import AdapterKit

/// The file that poppler draws from.
///
/// Poppler's GLib interface draws the crop box and nothing else; for another box it gets a copy of the file in
/// which that box is the crop box. The copy is made once, when the first page has to be drawn.
actor DrawnFile {
    private let path: String
    private let box: PageBox
    private let structure: StructureLane
    private let seconds: Int
    private var copy: SpoolFile?

    init(path: String, box: PageBox, structure: StructureLane, seconds: Int) {
        self.path = path
        self.box = box
        self.structure = structure
        self.seconds = seconds
    }

    /// Opens one more lane.
    func open() async throws(AdapterError) -> DrawingLane {
        if box == .crop { return DrawingLane(path: path, password: structure.neededPassword, seconds: seconds) }
        if copy == nil {
            let spool = try SpoolFile()
            try await structure.writeCopy(to: spool.path, showing: box)
            // Another lane may have waited for the same: the first copy stays.
            copy = copy ?? spool
        }
        guard let copy else { preconditionFailure("the copy was just made") }
        return DrawingLane(path: copy.path, password: nil, seconds: seconds)
    }
}
