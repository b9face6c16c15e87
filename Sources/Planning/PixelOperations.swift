package import AdapterKit
internal import Imaging
package import PageModel

/// The operations on an image's pixels, which are first moved, then changed.
package struct PixelOperations: Hashable, Sendable {
    /// The orientation and cropping of the image.
    package let framing: Framing
    /// The edits of the framed image, in order, without those that would have no effect.
    package let retouches: [PageEdit]
    /// The final size.
    package let size: PixelSize
    /// The kept part of the oriented image, before its size changes in other ways; nil if all of it is kept.
    package let crop: PixelRect?
    /// Whether no change of the image is requested, except perhaps the one that its own orientation requires.
    let isNoOp: Bool
    /// Whether an operation scales the image up.
    package let isEnlarged: Bool

    private let orientation: Orientation
    private let edits: [PageEdit]

    /// Nil if the edits leave nothing of the image. Omitted operations are ignored.
    package init?(_ size: PixelSize, _ orientation: Orientation = .upright, _ edits: [PageEdit], isGray: Bool = false) {
        self.init(size, orientation, of: edits.withoutOmissions, isGray)
    }

    private init?(_ size: PixelSize, _ orientation: Orientation, of edits: [PageEdit], _ isGray: Bool) {
        let moves = edits.leadingMoves
        guard let framing = Framing(size, orientation, edits: moves) else { return nil }
        self.framing = framing
        var (retouches, size, isGray) = ([PageEdit](), framing.rect.size, isGray)
        var (cuts, isScaled, isEnlarged) = (moves, false, false)
        for edit in edits.dropFirst(moves.count) {
            guard let next = edit.applied(to: size) else { return nil }
            switch edit {
            case .move(let move):
                if !isScaled { cuts.append(move) }
                retouches.append(edit)
            case .change(let operation):
                isScaled = isScaled || next != size
                isEnlarged = isEnlarged || next.area > size.area && operation.options.contains("enlarge")
                if !operation.isNoOp(on: size, isGray: isGray) { retouches.append(edit) }
                isGray = operation.makesGray || isGray && operation.keepsGray
            }
            size = next
        }
        self.retouches = retouches
        self.size = size
        self.isEnlarged = isEnlarged
        self.orientation = orientation
        self.edits = edits
        let whole = Framing(framing.source, orientation, edits: cuts) ?? framing
        crop = whole.isWhole ? nil : whole.rect
        isNoOp = retouches.isEmpty && framing == Framing(framing.source, orientation)
    }

    /// Returns the same operations for an image with another orientation; some formats state it only at their end.
    ///
    /// The result is nil if nothing of the image would be left. An operation that was omitted since stays, because the
    /// plan has it.
    package func oriented(_ orientation: Orientation) -> PixelOperations? {
        orientation == self.orientation ? self : PixelOperations(framing.source, orientation, of: edits, false)
    }

    /// Whether every pixel that stays keeps its value.
    package var keepsPixels: Bool { retouches.isEmpty }

    /// Whether the pixels of the result take no more memory than those of the image.
    var keepsFormat: Bool { retouches.allSatisfy { $0.operation?.keepsFormat ?? true } }

    /// Whether the result has few gray levels or pure print, which only a lossless encoding keeps.
    var isDithered: Bool { retouches.contains { $0.operation?.grayLevels != nil } || separatesPrint }

    /// Whether the result can be stored in layers: nothing changes its pixels after print was separated from images.
    var separatesPrint: Bool { retouches.last?.operation?.separatesPrint ?? false }

    /// Whether the pixels are gray from the first change on.
    ///
    /// - Parameter isGray: whether those of the image are.
    func areGray(ofGray isGray: Bool) -> Bool {
        let operations = retouches.compactMap(\.operation)
        let begins = isGray || operations.first?.makesGray ?? false
        return begins && operations.allSatisfy { $0.keepsGray || $0.makesGray }
    }

    /// The number of copies of the pixels that the changes hold in addition to the old and the new ones.
    var workingCopies: Int { retouches.workingCopies }

    /// The number of further bytes for each pixel that the changes hold.
    var workingBytes: Int { retouches.workingBytes }

    /// The operations without which the page can be planned.
    var omittable: [any OmittableOperation] { retouches.compactMap { $0.operation as? any OmittableOperation } }

    /// The options that request the changes of pixels.
    package var options: [String] { retouches.flatMap { $0.operation?.options ?? [] } }

    /// The size of the stored image after its first scaling, if all of the image may be scaled before other operations.
    ///
    /// A decoder can scale the image at once. Cropped images are decoded first: a crop need not begin on a scaled pixel.
    var scaledSource: PixelSize? {
        guard framing.isWhole, let operation = retouches[...].scaling?.operation else { return nil }
        return framing.orientation.applied(to: operation.size(after: framing.rect.size))
    }

    /// The notes on the operations, in order, each kind once.
    var notes: [Note] {
        var notes: [Note] = []
        if !framing.isWhole { notes.append(Note(.cropped)) }
        if let turn = PixelOperations.note(turning: framing.orientation) { notes.append(turn) }
        for edit in retouches where !notes.contains(edit.note) { notes.append(edit.note) }
        return isNoOp ? [] : notes
    }

    /// Returns the note on rotating or mirroring an image; nil if it is upright.
    static func note(turning orientation: Orientation) -> Note? {
        orientation == .upright ? nil : Note(orientation.quarterTurns == nil ? .mirrored : .turned)
    }

    /// The operations: "cropped and turned".
    var message: Message { notes.message }

    /// Returns the stored image's samples after all operations.
    ///
    /// - Throws: `PictureFault` when the pixels cannot be changed; `OmittedOperation` when the page has to be planned
    ///   again.
    package func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster {
        var isScaled = raster.size != framing.source
        guard !isScaled || raster.size == scaledSource else { throw PictureFault("its size differs from its header") }
        var raster = raster.framed(isScaled ? Framing(raster.size, framing.orientation) : framing)
        var rest = retouches[...]
        while let edit = rest.first {
            guard let (followers, operation) = rest.scaling, case let size = operation.size(after: raster.size),
                isScaled || !followers.isEmpty && raster.mayBeFitted(to: size)
            else {
                raster = try await edit.apply(to: raster, beside: pages)
                rest = rest.dropFirst()
                continue
            }
            if !isScaled { raster = try raster.fitted(to: size) }
            for edit in followers { raster = try await edit.apply(to: raster, beside: pages) }
            raster = try await operation.apply(toScaled: raster)
            (rest, isScaled) = (rest.dropFirst(followers.count + 1), false)
        }
        return raster
    }
}

/// The outcome of an attempt that left operations out: the page has to be planned again.
package struct OmittedOperation: Error {
    /// The warnings that the page lacks the operations.
    package let warnings: [Warning]

    package init(warnings: [Warning]) { self.warnings = warnings }
}

extension ArraySlice<PageEdit> {
    /// The next operation that scales, and those before it, if all of them may follow it; nil otherwise.
    fileprivate var scaling: (followers: Self, operation: any PageOperation)? {
        let followers = prefix { $0.operation?.mayFollowScaling == true }
        guard let operation = dropFirst(followers.count).first?.operation, operation.box != nil else { return nil }
        return (followers, operation)
    }
}

extension [PageEdit] {
    /// The edits without the operations that proved impossible or needless.
    package var withoutOmissions: [PageEdit] {
        filter { ($0.operation as? any OmittableOperation)?.omission.isOmitted != true }
    }

    /// The maximum number of copies of the pixels that a change holds in addition to the old and the new ones. Another page
    /// counts twice: it is decoded, and then changed.
    var workingCopies: Int { compactMap(\.operation).map { $0.workingCopies + 2 * $0.otherPages.count }.max() ?? 0 }

    /// The maximum number of further bytes for each pixel that a change holds.
    var workingBytes: Int { compactMap { $0.operation?.workingBytes }.max() ?? 0 }
}

extension PageEdit {
    /// The note on the edit.
    fileprivate var note: Note {
        switch self {
        case .move(.crop), .move(.keep), .move(.inset): Note(.cropped)
        case .move(.turn): Note(.turned)
        case .move(.mirror): Note(.mirrored)
        case .change(let operation): operation.note
        }
    }

    fileprivate func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster {
        switch self {
        case .move(let edit):
            guard let framing = Framing(raster.size, edits: [edit]) else {
                throw PictureFault("nothing would be left of it")
            }
            return raster.framed(framing)
        case .change(let operation as any OmittableOperation):
            do {
                return try await operation.apply(to: raster, beside: pages)
            } catch let error as CancellationError {
                throw error
            } catch is UnchangedPage {
                throw OmittedOperation(warnings: [operation.omit()].compactMap { $0 })
            } catch {
                throw OmittedOperation(
                    warnings: [operation.omit(because: AdapterError(rendering: error))].compactMap { $0 })
            }
        case .change(let operation): return try await operation.apply(to: raster, beside: pages)
        }
    }
}
