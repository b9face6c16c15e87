internal import Files
internal import Imaging
package import OrderedJSON
package import PageModel
package import Processes

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
            throw AdapterError(.damaged, "the text process answered with invalid text")
        }
        return lines
    }
}

/// The service that renders the pages of a PDF for another process.
package struct RenderingService: WorkerService {
    package static let id = "pdf"

    private var opened: PopplerFile?
    /// The end of the file, where a test may request a fault.
    private var tail: [UInt8] = []

    package init() {}

    package mutating func answer(_ request: JSON, _ exchange: WorkerExchange) throws(AdapterError) -> WorkerAnswer {
        let numbers = (request["size"]?.elements ?? []).compactMap(\.asInteger)
        let size = PixelSize(width: numbers.first ?? 0, height: numbers.last ?? 0)
        switch (request["ask"]?.asString, opened, request["page"]?.asInteger) {
        case ("open", nil, _):
            let path = request["path"]?.asString ?? ""
            let file = try ReadableFile(adopting: WorkerExchange.firstFile, path: path)
            tail = try file.read(at: max(0, file.size - 64), upTo: 64)
            opened = try PopplerFile(file, password: request["password"]?.asString)
            return WorkerAnswer([:])
        case ("draw", let file?, let page?):
            try FaultInjection.trigger(namedIn: tail, onPage: page + 1)
            var image = try file.draw(
                page: page, of: try RenderingService.sent(request, exchange), size: size,
                resolution: request["dpi"]?.asNumber ?? 0, PixelGrid(request["grid"]))
            // A third of the bytes to transfer.
            image.raster = image.raster.withoutNeedlessColor()
            return WorkerAnswer(image)
        case ("bilevel", let file?, let page?):
            return try file.bilevelPicture(onPage: page, size: size).map { WorkerAnswer($0) } ?? WorkerAnswer([:])
        case ("overlay", let file?, _):
            guard let asked = OverlayRequest(request, file: try exchange.bytes()) else { throw .unknownRequest }
            return try file.overlay(asked).asAnswer
        case ("text", let file?, let page?):
            let lines = try file.text(onPage: page, of: try RenderingService.sent(request, exchange))
            return WorkerAnswer([:], [Array(JSON(lines.map(\.asJSON)).compactText.utf8)])
        default:
            throw .unknownRequest
        }
    }

    /// Returns the file that comes with a request; nil if the request is about the open one.
    private static func sent(_ request: JSON, _ exchange: WorkerExchange) throws(AdapterError) -> [UInt8]? {
        request["isSent"]?.asBoolean == true ? try exchange.bytes() : nil
    }
}

extension TextLine {
    fileprivate var asJSON: JSON {
        let words = words.map { word -> JSON in
            let area = word.area
            return [
                .string(word.text), .number(area.left), .number(area.top), .number(area.right), .number(area.bottom),
            ]
        }
        return ["words": JSON(words), "direction": .string(direction.rawValue), "turns": .integer(turns)]
    }

    fileprivate init?(_ json: JSON) {
        guard let direction = json["direction"]?.asString.flatMap(Direction.init), let turns = json["turns"]?.asInteger,
            (0...3).contains(turns), let list = json["words"]?.elements
        else { return nil }
        var words: [TextWord] = []
        for word in list {
            let parts = word.elements ?? []
            let sides = parts.dropFirst().compactMap(\.asNumber)
            guard let text = parts.first?.asString, sides.count == 4 else { return nil }
            words.append(
                TextWord(text, PageArea(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])))
        }
        self.init(words, direction: direction, turns: turns)
    }
}
