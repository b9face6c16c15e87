internal import Files
internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Processes

/// A renderer that sends the pages of a file to another process.
final class RemoteRenderer: PageRenderer {
    private let worker: any Worker
    private let seconds: Int
    /// The file, open as long as the process needs it.
    private let file: ReadableFile

    /// - Parameters:
    ///   - file: the PDF.
    ///   - worker: a worker created by `worker`.
    init(_ file: ReadableFile, _ worker: any Worker, seconds: Int) {
        self.file = file
        self.worker = worker
        self.seconds = seconds
    }

    /// Returns a worker for a process that renders the pages of a file.
    ///
    /// - Parameter pixels: the maximum number of pixels of an image.
    static func worker(
        _ file: ReadableFile, password: String?, pixels: Int, _ workers: any Workers
    ) -> any Worker {
        var job = WorkerJob(
            RenderingService.id, name: "the rendering process",
            opening: ["ask": "open", "path": .string(file.path), "password": JSON(password)], files: [file.number],
            pixels: pixels)
        job.drawsText = true
        return workers.worker(job)
    }

    func draw(
        page index: Int, of file: [UInt8]?, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) throws(AdapterError) -> DecodedImage {
        guard let image = try picture("draw", index, of: file, size, resolution, grid), image.raster.size == size else {
            throw AdapterError(.damaged, "the rendering process answered with an invalid image")
        }
        return image
    }

    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage? {
        let image = try picture("bilevel", index, size, 0)
        return image?.raster.size == size && image?.raster.format == .gray(bits: 1) ? image : nil
    }

    private func picture(
        _ ask: String, _ index: Int, of file: [UInt8]? = nil, _ size: PixelSize, _ resolution: Double,
        _ grid: PixelGrid? = nil
    ) throws(AdapterError) -> DecodedImage? {
        DecodedImage(
            try worker.ask(
                [
                    "ask": .string(ask), "page": .integer(index),
                    "size": [.integer(size.width), .integer(size.height)],
                    "dpi": .number(resolution), "grid": grid?.asJSON ?? .null, "isSent": .boolean(file != nil),
                ], bytes: file, about: index, seconds: seconds))
    }

    func overlay(_ request: OverlayRequest) throws(AdapterError) -> OverlayPixels {
        let answer = try worker.ask(request.asJSON, bytes: request.file, seconds: seconds)
        guard let overlay = OverlayPixels(answer, on: request.size) else {
            throw AdapterError(.damaged, "the rendering process answered with an invalid overlay")
        }
        return overlay
    }

    func text(onPage index: Int, of file: [UInt8]?) throws(AdapterError) -> [TextLine] {
        let answer = try worker.ask(
            ["ask": "text", "page": .integer(index), "isSent": .boolean(file != nil)], bytes: file, about: index,
            seconds: seconds)
        let elements = answer.parts.first.flatMap { JSON(parsing: $0) }?.elements
        let lines = elements?.compactMap { TextLine($0) }
        guard let elements, let lines, lines.count == elements.count else {
            throw AdapterError(.damaged, "the rendering process answered with invalid text")
        }
        return lines
    }
}
