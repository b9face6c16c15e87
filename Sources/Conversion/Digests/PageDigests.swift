internal import AdapterKit
internal import Imaging
internal import PageModel

/// The SHA-256 of what a page's picture was in its source.
struct SourceDigest: Hashable, Sendable {
    /// What the digest covers.
    enum Cover: String, Sendable {
        /// The picture file in the source.
        case picture
        /// That file as it came after something besides its picture data was put right.
        case repairedPicture
        /// The compressed bytes of the picture, as its document holds them.
        case stream
    }

    let hex: String
    let cover: Cover
}

/// The digests of one page, as far as they are wanted.
public struct PageDigests: Sendable {
    /// A page's picture as it was found: its bytes, and its pixels before anything was done to them.
    struct Found: Sendable {
        var source: SourceDigest?
        var pixels: PixelDigest?

        var isEmpty: Bool { source == nil && pixels == nil }
    }

    var own = Found()
    /// Of pages that were merged, in their order: their names, and what was found.
    var parts: [(name: String, found: Found)] = []
    /// The picture file that the sink was given.
    var given: String?
    /// The pixels that the page was meant to have, in uniform samples; nil where they are not known, or not kept.
    var planned: PixelDigest?
    /// The picture file in the finished output; nil where there is none, or it was not read.
    var output: String?

    /// The digests of a page that was made.
    init(_ recorder: DigestRecorder, _ page: Page, _ plan: PagePlan, _ result: PageResult) {
        own = recorder.found(of: page.name)
        parts = page.parts.map { ($0.name, recorder.found(of: $0.name)) }
        planned = result.planned
        guard recorder.wish.areCompared, case .encoded(let picture) = result.content else { return }
        // What is copied was hashed when it was read.
        if case .copy = plan.step, let source = own.source {
            given = source.hex
        } else {
            given = SHA256.hexDigest(of: picture.bytes)
        }
    }

    var json: JSON {
        var members = own.members
        members.append(("output", JSON.digest(output, [])))
        if !parts.isEmpty {
            let list = parts.map { JSON.object([("source", .string($0.name))] + $0.found.members) }
            members.append(("parts", JSON(list)))
        }
        return .object(members)
    }
}

extension PageDigests.Found {
    fileprivate var members: [(key: String, value: JSON)] {
        let cover = source?.cover.rawValue ?? ""
        let size = pixels?.size ?? PixelSize(width: 0, height: 0)
        let samples: [(key: String, value: JSON)] = [
            ("samples", .string(pixels?.samples ?? "")), ("width", .integer(size.width)),
            ("height", .integer(size.height)),
        ]
        return [
            ("picture", .digest(source?.hex, [("of", .string(cover))])), ("pixels", .digest(pixels?.hex, samples)),
        ]
    }
}

extension JSON {
    /// A digest and what it is of; null where there is none.
    fileprivate static func digest(_ hex: String?, _ more: [(key: String, value: JSON)]) -> JSON {
        guard let hex else { return .null }
        return .object([("sha256", .string(hex))] + more)
    }
}
