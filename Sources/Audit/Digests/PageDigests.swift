internal import AdapterKit
internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Planning

/// The SHA-256 of a page's image in its source.
struct SourceDigest: Hashable, Sendable {
    /// The data that the digest covers.
    enum Cover: String, Sendable {
        /// The image file in the source.
        case image
        /// The repaired image file: data other than the image data was corrected.
        case repairedImage = "repaired-image"
        /// The compressed bytes of the image, as its document contains them.
        case stream
    }

    let hex: String
    let cover: Cover
}

/// The requested digests of one page.
public struct PageDigests: Sendable {
    /// The digests of a page's image in the source: its bytes, and its pixels before any change.
    struct Found: Sendable {
        var source: SourceDigest?
        var pixels: PixelDigest?
    }

    var own = Found()
    /// The names and digests of merged pages, in their order.
    var parts: [(name: String, found: Found)] = []
    /// The digest of the image file that the sink received.
    var given: String?
    /// The digest of the pixels that the page should have, in uniform samples; nil if they are unknown or not kept.
    var planned: PixelDigest?
    /// The digest of the image file in the finished output; nil if it does not exist or was not read.
    var output: String?

    /// Collects the digests of a converted page.
    init(_ recorder: DigestRecorder, _ page: Page, _ plan: PagePlan, _ result: PageResult) {
        own = recorder.found(of: page.name)
        parts = page.parts.map { ($0.name, recorder.found(of: $0.name)) }
        planned = result.evidence as? PixelDigest
        guard recorder.digestRequest.areCompared, case .encoded(let picture) = result.content else { return }
        // Copied bytes were hashed when they were read.
        if plan.method.copiedFile != nil, let source = own.source {
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
            ("image", .digest(source?.hex, [("of", .string(cover))])), ("pixels", .digest(pixels?.hex, samples)),
        ]
    }
}

extension JSON {
    /// Returns a digest with the name of the data that it covers; null without a digest.
    fileprivate static func digest(_ hex: String?, _ more: [(key: String, value: JSON)]) -> JSON {
        guard let hex else { return .null }
        return .object([("sha256", .string(hex))] + more)
    }
}
