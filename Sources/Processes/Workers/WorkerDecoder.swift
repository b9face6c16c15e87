internal import Imaging
package import OrderedJSON
package import PageModel
internal import Synchronization

/// A decoder that sends images to worker processes: one for each concurrent task, each for many images.
final class WorkerDecoder: DecodingHost {
    private let workers: OwnWorkers
    private let takesAll: Bool
    private let job: WorkerJob
    private let idle = Mutex<[any Worker]>([])

    /// - Parameters:
    ///   - takesAll: whether it decodes images of every format.
    ///   - pixels: the maximum number of pixels of an image.
    init(_ workers: OwnWorkers, takesAll: Bool, pixels: Int) {
        self.workers = workers
        self.takesAll = takesAll
        job = WorkerJob(
            PictureService.id, name: "the process that decodes it", pixels: pixels)
    }

    func takes(_ encoding: ImageEncoding) -> Bool { takesAll || encoding.format?.isRisky == true }

    func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        let worker = idle.withLock { $0.popLast() } ?? workers.worker(job)
        defer { idle.withLock { $0.append(worker) } }
        // Large images take longer.
        let millions = min(PictureHeader(file)?.size?.area ?? 0, request.maximumPixels) / 1_000_000
        do throws(AdapterError) {
            let answer = try worker.ask(request.asJSON, bytes: file, seconds: workers.seconds + millions)
            guard let image = DecodedImage(answer), image.raster.size.area <= request.maximumPixels else {
                throw AdapterError(.damaged, "\(job.name) answered with an invalid image")
            }
            return image
        } catch {
            throw PictureFault(adapterError: error)
        }
    }
}

/// A service that decodes images for another process.
package struct PictureService: WorkerService {
    package static let id = "pictures"

    package init() {}

    package func answer(_ request: JSON, _ exchange: WorkerExchange) throws(AdapterError) -> WorkerAnswer {
        guard let decoding = DecodeRequest(request) else { throw .unknownRequest }
        let file = try exchange.bytes()
        try FaultInjection.trigger(namedIn: file)
        return try AdapterError.imaging { () throws(PictureFault) in
            WorkerAnswer(try PictureDecoder.decode(file, decoding))
        }
    }
}

extension DecodeRequest {
    fileprivate var asJSON: JSON {
        [
            "ask": "decode", "encoding": .string(encoding.rawValue), "directory": .integer(directory),
            "pixels": .integer(maximumPixels), "meaning": JSON(meaning?.rawValue), "reduction": .integer(reduction),
            "exact": .boolean(isExact), "inks": .boolean(keepsInks), "width": .integer(target?.width ?? 0),
            "height": .integer(target?.height ?? 0),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let encoding = json["encoding"]?.asString.map(ImageEncoding.init),
            let directory = json["directory"]?.asInteger, let pixels = json["pixels"]?.asInteger,
            let reduction = json["reduction"]?.asInteger
        else { return nil }
        self.init(
            encoding, directory: directory, maximumPixels: pixels,
            meaning: json["meaning"]?.asString.flatMap(SampleMeaning.init), reduction: reduction,
            isExact: json["exact"]?.asBoolean == true)
        keepsInks = json["inks"]?.asBoolean == true
        if let width = json["width"]?.asInteger, let height = json["height"]?.asInteger, width > 0, height > 0 {
            target = PixelSize(width: width, height: height)
        }
    }
}

extension PictureFault {
    fileprivate init(adapterError error: AdapterError) {
        let kind: Kind =
            switch error.code {
            // Without a process, the image may still be intact.
            case .unsupported, .unreadable: .unsupported
            case .tooLarge: .tooLarge
            default: .damaged
            }
        self.init(error.explanation + (error.hint.map { "; \($0)" } ?? ""), kind: kind)
    }
}
