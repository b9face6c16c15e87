internal import AdapterKit
internal import Dispatch

/// The file that poppler draws from.
///
/// Poppler's GLib interface draws the crop box and nothing else; for another box it gets a copy of the file in
/// which that box is the crop box. The copy is made once, when the first page has to be drawn.
actor DrawnFile {
    private let path: String
    private let box: PageBox
    private let structure: StructureLane
    private let seconds: Int
    private let abandoned = AbandonedDrawings()
    private var copy: SpoolFile?

    /// - Parameter seconds: the time that drawing one page may take.
    init(path: String, box: PageBox, structure: StructureLane, seconds: Int) {
        self.path = path
        self.box = box
        self.structure = structure
        self.seconds = seconds
    }

    /// Opens one more lane.
    func open() async throws(AdapterError) -> DrawingLane {
        if box == .crop { return lane(path, password: structure.neededPassword) }
        if copy == nil {
            let spool = try SpoolFile()
            try await structure.writeCopy(to: spool.path, showing: box)
            // Another lane may have waited for the same: the first copy stays.
            copy = copy ?? spool
        }
        guard let copy else { preconditionFailure("the copy was just made") }
        return lane(copy.path, password: nil)
    }

    private func lane(_ path: String, password: String?) -> DrawingLane {
        DrawingLane(limit: .seconds(seconds), abandoned: abandoned) { () throws(AdapterError) in
            try PopplerFile(path: path, password: password)
        }
    }
}
