internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Processes

// The transfer of requests for overlays, and of overlays, between this process and the one that renders them.

extension OverlayRequest {
    /// The request without its file, which is transferred as bytes.
    var asJSON: JSON {
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f]
        return [
            "ask": "overlay", "size": [.integer(size.width), .integer(size.height)],
            "matrix": JSON(numbers.map(JSON.number)),
        ]
    }

    init?(_ json: JSON, file: [UInt8]) {
        let size = (json["size"]?.elements ?? []).compactMap(\.asInteger)
        guard size.count == 2, size.allSatisfy({ (1..<1 << 24).contains($0) }),
            let matrix = Matrix((json["matrix"]?.elements ?? []).compactMap(\.asNumber))
        else { return nil }
        self.init(file: file, size: PixelSize(width: size[0], height: size[1]), matrix: matrix)
    }
}

extension OverlayPixels {
    var asAnswer: WorkerAnswer {
        let rects = areas.map { area -> JSON in
            let rect = area.rect
            return [.integer(rect.x), .integer(rect.y), .integer(rect.width), .integer(rect.height)]
        }
        return WorkerAnswer(["areas": JSON(rects), "text": JSON(text)], areas.flatMap { [$0.black, $0.white] })
    }

    /// - Parameter size: the size of the image that contains the overlay.
    init?(_ answer: WorkerAnswer, on size: PixelSize) {
        guard let rects = answer.end["areas"]?.elements, answer.parts.count == 2 * rects.count else { return nil }
        self.init([], text: answer.end["text"]?.asString)
        for (index, rect) in rects.enumerated() {
            let numbers = (rect.elements ?? []).compactMap(\.asInteger)
            guard numbers.count == 4 else { return nil }
            let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
            let (black, white) = (answer.parts[2 * index], answer.parts[2 * index + 1])
            guard x >= 0, y >= 0, (1...size.width).contains(width), (1...size.height).contains(height),
                x <= size.width - width, y <= size.height - height,
                [1, 3].contains(where: { black.count == $0 * width * height }), white.count == black.count
            else { return nil }
            areas.append(Area(PixelRect(x: x, y: y, width: width, height: height), black: black, white: white))
        }
    }
}
