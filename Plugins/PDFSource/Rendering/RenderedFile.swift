internal import Dispatch
internal import Files
internal import PDFStructure
internal import PageModel
internal import Processes

/// The file from which poppler renders.
///
/// Poppler's GLib interface renders only the crop box. For another box it gets a copy of the file in which that box is the crop
/// box. The copy is made once, when the first page has to be rendered.
actor RenderedFile {
    private let source: any ByteSource
    private let box: PageBox
    private let structure: StructureWorker
    private let seconds: Int
    private let pixels: Int
    private let abandoned = AbandonedRenderings()
    private var copy: SpoolFile?

    /// - Parameters:
    ///   - seconds: the time limit for rendering one page.
    ///   - pixels: the maximum number of pixels of an image.
    init(_ source: any ByteSource, box: PageBox, structure: StructureWorker, seconds: Int, pixels: Int) {
        self.source = source
        self.box = box
        self.structure = structure
        self.seconds = seconds
        self.pixels = pixels
    }

    /// Opens another worker.
    func open() async throws(AdapterError) -> RenderingWorker {
        if box == .crop { return worker(source, password: structure.neededPassword) }
        if copy == nil {
            let spool = try SpoolFile()
            try await structure.writeCopy(to: spool.path(), showing: box)
            // Another worker may have waited for the same: the first copy stays.
            copy = copy ?? spool
        }
        guard let copy else { preconditionFailure("the copy was just made") }
        return worker(try ReadableFile(path: copy.path()), password: nil)
    }

    /// Returns a worker that renders in another process, if the run has one and can pass the file to it; otherwise in this one.
    private func worker(_ source: any ByteSource, password: String?) -> RenderingWorker {
        guard let workers = Isolation.workers, let file = source as? ReadableFile else {
            return RenderingWorker(limit: .seconds(seconds), abandoned: abandoned) { () throws(AdapterError) in
                try PopplerFile(source, password: password)
            }
        }
        let worker = RemoteRenderer.worker(file, password: password, pixels: pixels, workers)
        // A process is terminated when its time is up, and nothing is abandoned: the worker's own time limit is longer.
        return RenderingWorker(limit: .seconds(2 * seconds + 10), abandoned: abandoned, onCancel: worker.cancel) {
            () throws(AdapterError) in RemoteRenderer(file, worker, seconds: workers.seconds)
        }
    }
}
