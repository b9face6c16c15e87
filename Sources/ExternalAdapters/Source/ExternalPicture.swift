internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Processes

/// A page's image as the plug-in describes it, completed by jisui's own examination.
struct ExternalPicture {
    /// A representation that the plug-in offers.
    private enum Method {
        case encoded(EncodedPicture)
        case sampled(compression: String, PixelSize, PixelFormat, turn: Int)
        case drawn(width: Double, height: Double, resolution: Double)
    }

    private let methods: [Method]
    private let size: PixelSize?
    private let reason: Message?
    private let defects: [Message]
    private let resolution: Double?
    private let hasText: Bool
    private let hasLinks: Bool

    private static let maximumMethods = 8
    /// The numbers of bytes to read. Most images state their size in their first bytes, some after a long profile or
    /// thumbnail.
    private static let headCounts = [PictureHeader.headCount, 64 << 20]

    /// - Throws: `PluginProcess.Fault` for an invalid answer; `AdapterError`.
    init(_ answer: JSON, _ id: Int, _ opener: BookOpener, _ process: PluginProcess) throws {
        let list = answer["representations"]?.elements ?? []
        guard (1...ExternalPicture.maximumMethods).contains(list.count) else {
            throw PluginProcess.Fault.protocolViolation("offers no representation of page \(id), or too many")
        }
        size = answer["size"] == nil ? nil : try ExternalPicture.size(answer["size"], of: id)
        reason = JSON.message(answer["reason"])
        defects = JSON.messages(answer["defects"])
        resolution = opener.resolution
        hasText = answer["text"]?.asBoolean ?? false
        hasLinks = answer["links"]?.asBoolean ?? false
        methods = try list.enumerated().map { index, method in
            try ExternalPicture.method(method, index, id, opener, process)
        }
        if let size, let first = methods.first.flatMap(shown), first != size {
            throw AdapterError(.damaged, "should have \(size) pixels, and has \(first)")
        }
    }

    /// - Parameter give: requests the image in one representation.
    func picture(
        _ give: @escaping @Sendable (_ method: Int, RenderingRequest?) async throws -> GivenPicture
    ) -> Picture {
        let representations = methods.enumerated().map { index, method -> Picture.Representation in
            switch method {
            case .encoded(var picture):
                picture.read = { ImageFile(try await give(index, nil).bytes) }
                return .encoded(picture)
            case .sampled(let compression, let size, let format, let turn):
                return .sampled(
                    SampledPicture(
                        compression: compression, size: size, format: format, pending: ExternalPicture.edits(turn)
                    ) { try await give(index, nil).decoded(size: size, format: format) })
            case .drawn(let width, let height, let own):
                return .drawn(drawn(width, height, own, index, give))
            }
        }
        var picture = Picture(
            size: size ?? methods.first.flatMap(shown), representations: representations, reason: reason,
            defects: defects)
        (picture.hasText, picture.hasLinks) = (hasText, hasLinks)
        return picture
    }

    private func drawn(
        _ width: Double, _ height: Double, _ own: Double, _ index: Int,
        _ give: @escaping @Sendable (_ method: Int, RenderingRequest?) async throws -> GivenPicture
    ) -> DrawnPicture {
        @Sendable func draw(_ resolution: Double) async throws -> DecodedImage {
            let size = DrawnPicture.size(width, height, at: resolution)
            return try await give(index, RenderingRequest(resolution: resolution, size: size))
                .decoded(size: size, format: nil)
        }
        let resolution = resolution ?? own
        var picture = DrawnPicture(width: width, height: height, resolution: resolution) {
            try await draw(resolution)
        }
        picture.drawAt = draw
        return picture
    }

    private func shown(_ method: Method) -> PixelSize? {
        switch method {
        case .encoded(let picture): picture.uprightSize.map(picture.pending.applied)
        case .sampled(_, let size, _, let turn): ExternalPicture.edits(turn).applied(to: size)
        case .drawn: nil
        }
    }

    private static func method(
        _ json: JSON, _ index: Int, _ id: Int, _ opener: BookOpener, _ process: PluginProcess
    ) throws -> Method {
        let turn = json["rotation"]?.asInteger ?? 0
        guard [0, 90, 180, 270].contains(turn) else {
            throw PluginProcess.Fault.protocolViolation(
                "has page \(id) rotated by \(turn) degrees, not 0, 90, 180 or 270")
        }
        switch json["kind"]?.asString {
        case "encoded":
            return .encoded(try encoded(json, index, id, turn, opener, process))
        case "sampled":
            let size = try size(json["size"], of: id)
            guard let format = json["format"]?.asString.flatMap(GivenPicture.format) else {
                throw PluginProcess.Fault.protocolViolation("has samples of page \(id) in an unknown format")
            }
            return .sampled(compression: JSON.line(json["compression"]) ?? "samples", size, format, turn: turn)
        case "rendered":
            let points = json["points"]?.elements?.compactMap(\.asNumber) ?? []
            let resolution = json["dpi"]?.asNumber ?? 300
            guard points.count == 2, points.allSatisfy({ (0.01...1e6).contains($0) }), (1...10_000).contains(resolution)
            else {
                throw PluginProcess.Fault.protocolViolation("renders page \(id) with an invalid size or resolution")
            }
            return .drawn(width: points[0], height: points[1], resolution: resolution)
        default: throw PluginProcess.Fault.protocolViolation("has page \(id) in an unknown form")
        }
    }

    /// Makes an encoded image. The plug-in names the format; jisui finds everything else.
    private static func encoded(
        _ json: JSON, _ index: Int, _ id: Int, _ turn: Int, _ opener: BookOpener, _ process: PluginProcess
    ) throws -> EncodedPicture {
        let given = try GivenPicture.Place(id, method: index, nil, opener, process)
        var header: PictureHeader?
        for count in headCounts {
            header = PictureHeader(try given.bytes(upTo: count, opener, process)) ?? header
            if header?.isComplete == true || given.count <= count { break }
        }
        guard let header else { throw AdapterError(.damaged, "unrecognized image format") }
        let stated = json["encoding"]?.asString.map(ImageEncoding.init)
        guard stated == nil || stated == header.encoding || [stated, header.encoding].allSatisfy(isJPEG2000) else {
            throw PluginProcess.Fault.protocolViolation(
                "reported page \(id) as \(stated?.name ?? ""), but it is \(header.encoding.name)")
        }
        var picture = header.picture(byteCount: given.count) { [] }
        picture.pending = edits(turn)
        return picture
    }

    private static func isJPEG2000(_ encoding: ImageEncoding?) -> Bool {
        encoding == .jpeg2000 || encoding == .jpeg2000Codestream
    }

    private static func edits(_ turn: Int) -> [Edit] { turn == 0 ? [] : [.turn(quarters: turn / 90)] }

    static func size(_ json: JSON?, of id: Int) throws(PluginProcess.Fault) -> PixelSize {
        let sides = json?.elements?.compactMap(\.asInteger) ?? []
        guard sides.count == 2, sides.allSatisfy({ (1...10_000_000).contains($0) }) else {
            throw .protocolViolation("gives page \(id) an invalid size")
        }
        return PixelSize(width: sides[0], height: sides[1])
    }
}

/// The resolution for rendering a page, with the resulting size.
struct RenderingRequest: Sendable {
    var resolution: Double
    var size: PixelSize
}
