internal import Files
internal import Imaging
package import OrderedJSON
package import PageModel
package import Processes

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
