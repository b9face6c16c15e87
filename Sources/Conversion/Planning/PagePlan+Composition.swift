internal import AdapterKit
internal import Imaging
internal import PageModel

extension PagePlan {
    /// Pages that are decoded and put beside each other.
    struct Composition: Sendable {
        struct Part: Sendable {
            /// The page's name.
            var name: String
            /// The ways to its picture, the best first, and what is to be done to what each gives.
            var representations: [(representation: Picture.Representation, operations: PixelOperations)]
            var place: PixelRect
        }

        var parts: [Part]
        var background: RGB
        /// What is done to the whole.
        var operations: PixelOperations
        var parameters: EncodingParameters

        /// - Throws: when one of the pages cannot be had, naming it.
        func carryOut(limits: Limits) async throws -> FinishedPicture {
            var laid: [(raster: Raster, x: Int, y: Int)] = []
            var (defects, losses) = ([String](), [String]())
            var finest: [UInt8]?
            for part in parts {
                let (drawing, source) = try await part.drawing(limits)
                let raster = drawing.raster
                defects += drawing.diagnostics.prefix(1).map { "\(part.name): \($0)" }
                losses += [drawing.loss].compactMap { $0 }
                // Another way than the one that was planned may give it at another resolution.
                let size = part.place.size
                let scaled = try PagePlan.faulting { () throws(PictureFault) in
                    raster.size == size ? raster : try raster.scaled(to: size)
                }
                laid.append((scaled, part.place.x, part.place.y))
                finest = Composition.finer(finest, source)
            }
            if Set(laid.map(\.raster.iccProfile)).count > 1 {
                let isChanged = laid.contains { part in
                    let raster = part.raster
                    return raster.iccProfile.flatMap { try? Raster.isChangedInSRGB(raster.format, $0) } ?? false
                }
                if isChanged { losses.append("its colors brought to sRGB") }
                for index in laid.indices { laid[index].raster = laid[index].raster.withoutProfile() }
            }
            let whole = DecodedImage(
                raster: Raster.composed(laid, size: operations.framing.source, background: background),
                loss: losses.first)
            let source = finest
            return try PagePlan.faulting { () throws(PictureFault) in
                var finished = try PagePlan.make(whole, operations, parameters, source: source)
                finished.defects = defects
                return finished
            }
        }

        /// The file that was encoded with the smaller losses.
        private static func finer(_ one: [UInt8]?, _ other: [UInt8]?) -> [UInt8]? {
            guard let one, let other, let first = JPEGTables(one), let second = JPEGTables(other) else {
                return one ?? other
            }
            return second.coarseness < first.coarseness ? other : one
        }
    }
}

extension PagePlan.Composition.Part {
    /// The page's picture, changed as it is to be, by the first way that leads there.
    ///
    /// - Returns: also the JPEG that it was decoded from.
    fileprivate func drawing(_ limits: Limits) async throws -> (DecodedImage, source: [UInt8]?) {
        var fault = AdapterError(.unsupported, "\(name) has no picture")
        for (representation, operations) in representations {
            do {
                return try await drawing(representation, operations, limits)
            } catch let error as CancellationError {
                throw error
            } catch {
                fault =
                    error as? AdapterError ?? (error as? PictureFault).map { AdapterError($0) }
                    ?? AdapterError(.damaged, "\(error)")
                fault.message = "\(name): \(fault.message)"
            }
        }
        throw fault
    }

    private func drawing(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ limits: Limits
    ) async throws -> (DecodedImage, source: [UInt8]?) {
        try PagePlan.check(operations.framing.source, limits)
        var drawing: DecodedImage
        var source: [UInt8]?
        var operations = operations
        switch representation {
        case .encoded(let picture):
            let bytes = try await picture.read()
            drawing = try PictureDecoder.decode(bytes, picture.encoding, mostPixels: limits.pixels)
            source = picture.encoding == .jpeg ? bytes : nil
            let count = PictureCount.pictures(in: bytes)
            if count > 1 {
                drawing.loss = "only the first of the \(count) pictures of \(name) is kept"
                drawing.diagnostics.insert("only the first of its \(count) pictures is kept", at: 0)
            }
            guard let held = operations.held(PictureHeader(bytes)?.orientation ?? .upright) else {
                throw PictureFault("nothing would be left of it")
            }
            operations = held
        case .sampled(let picture):
            drawing = try await picture.read()
        case .drawn(let picture):
            drawing = try await picture.draw()
            drawing.raster = drawing.raster.withoutNeedlessColor()
        case .joined:
            throw PictureFault("joined pages are not joined again")
        }
        // Changed samples are made for one space of colours: that of all programs.
        if !operations.keepsPixels { drawing.raster = drawing.raster.withoutProfile() }
        drawing.raster = try operations.carryOut(on: drawing.raster)
        return (drawing, source)
    }
}
