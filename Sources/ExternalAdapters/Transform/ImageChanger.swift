internal import AdapterKit
internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Processes
internal import Synchronization

/// The processes of a plug-in that change the images of one book: one for each concurrent page.
final class ImageChanger: Sendable {
    /// The purpose of an image.
    enum Purpose {
        /// The output, with the pixels per inch if they are known.
        case image(dpi: Double?)
        /// An analysis. The image is gray and reduced.
        case preview
    }

    let plugin: Plugin
    /// The values of the plug-in's options.
    let settings: Settings
    private let request: TransformRequest
    private let workers: PluginWorkerPool
    /// The first error of each page. The page is not sent again.
    private let failures = Mutex<[Int: AdapterError]>([:])

    /// - Parameter workers: processes that start with the plug-in's settings.
    init(_ plugin: Plugin, _ settings: Settings, _ request: TransformRequest, _ workers: PluginWorkerPool) {
        (self.plugin, self.settings, self.request, self.workers) = (plugin, settings, request, workers)
    }

    /// Returns the image that the plug-in makes of a page's image; nil if it changes nothing.
    ///
    /// - Throws: `AdapterError`, the first one of the page; `CancellationError`.
    func changed(_ raster: Raster, of page: Int, _ purpose: Purpose) async throws -> Raster? {
        try check(page)
        do {
            let result = try await exchanged(raster, page, purpose)
            // Meanwhile, the plug-in may have failed for another part of the page.
            try check(page)
            return result
        } catch let error as AdapterError {
            throw failures.withLock { failures in
                failures[page] = failures[page] ?? error
                return failures[page] ?? error
            }
        }
    }

    private func check(_ page: Int) throws(AdapterError) {
        if let error = failures.withLock({ $0[page] }) { throw error }
    }

    private func exchanged(_ raster: Raster, _ page: Int, _ purpose: Purpose) async throws -> Raster? {
        // Plug-ins get plain samples of 8 or 16 bits.
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        let sent = opaque.widened(to: opaque.format.joined(with: .gray(bits: 8)))
        guard let picture = try await answer(to: sent, page, purpose) else { return nil }
        let image = try picture.decoded(to: sent)
        guard let result = try ImageChanger.result(image, sent, purpose) else { return nil }
        return raster.format == .gray(bits: 1) ? result.packedIfBilevel : result
    }

    /// Sends an image, and receives the answer; nil if it has no image.
    private func answer(to sent: Raster, _ page: Int, _ purpose: Purpose) async throws -> ImageAnswer? {
        let file = PNM.file(sent)
        let ask = ImageChanger.request(page, file.count, sent.size, purpose)
        let seconds = Plugin.secondsForWholePage(pageTimeout: request.pageTimeout)
        let limit = min(request.limits.entryBytes, ImageAnswer.maximumBytes(for: sent))
        return try await workers.perform(on: page) { process in
            // An idle process should not hold an image.
            defer { try? process.fill([]) }
            let answer = try process.ask(ask, picture: file, seconds: seconds)
            // Otherwise a late second answer would be used for the next page.
            guard answer["id"]?.asInteger == page else {
                throw PluginProcess.Fault.protocolViolation("answers about an image without the 'id' of its page")
            }
            if let refusal = answer.refusal { throw refusal }
            return try ImageAnswer(answer, page, limit: limit, in: process)
        }
    }

    private static func request(_ page: Int, _ count: Int, _ size: PixelSize, _ purpose: Purpose) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("ask", "image"), ("id", .integer(page)), ("bytes", .integer(count)),
            ("size", [.integer(size.width), .integer(size.height)]),
        ]
        switch purpose {
        case .image(let dpi): members.append(("dpi", dpi.map { .number($0) } ?? .null))
        case .preview: members.append(("preview", true))
        }
        return .object(members)
    }

    /// Returns an answer in the form that changed pixels have: in sRGB, opaque and with the page's resolution; nil for
    /// the pixels that were sent.
    private static func result(_ image: Raster, _ sent: Raster, _ purpose: Purpose) throws(AdapterError) -> Raster? {
        var result = try AdapterError.imaging(as: .damaged) { () throws(PictureFault) in try image.withoutProfile() }
        if result.format.hasAlpha { result = result.flattened(on: .white) }
        if case .preview = purpose { result = result.reducedToGray(by: 1, .brightness) }
        result.resolution = sent.resolution
        let common = result.format.joined(with: sent.format)
        return result.widened(to: common).samples == sent.widened(to: common).samples ? nil : result
    }
}

extension Raster {
    /// The image in one bit a pixel if it is black and white, in gray of 8 bits; any other one unchanged.
    fileprivate var packedIfBilevel: Raster {
        let isBilevel = format == .gray(bits: 8) && samples.allSatisfy { $0 == 0 || $0 == 255 }
        return isBilevel ? packed(to: .gray(bits: 1)) : self
    }
}
