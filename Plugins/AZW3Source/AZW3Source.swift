public import AdapterKit
internal import Files
public import PageModel

/// The source for comics and image-only books in the formats of Amazon's devices: KF8 (AZW3) and MOBI, without DRM.
///
/// Amazon publishes no specification of them. The structure is that of files by kindlegen, as KindleUnpack, libmobi and calibre
/// read them. The images are returned as stored. A book of flowing text has no pages to convert, and is refused.
public struct AZW3Source: SourceAdapter {
    public let descriptor = AdapterDescriptor(
        id: "azw3", summary: "image-only AZW3 and MOBI without DRM: comics, manga",
        extensions: ["azw3", "mobi", "azw", "prc"])

    public init() {}

    public func recognize(_ probe: Probe) -> Recognition {
        let head = probe.head
        if head.dropFirst(PalmDatabase.typePlace).starts(with: PalmDatabase.type) { return .certain }
        // The shop delivers these since 2015.
        if head.starts(with: [0xEA] + Array("DRMION".utf8)) {
            return .declined("a Kindle book with copy protection, which cannot be read")
        }
        if head.starts(with: Array("CONT".utf8)), ["kfx", "azw8"].contains(probe.pathExtension) {
            return .declined("a KFX, which jisui does not read")
        }
        return .no
    }

    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        do {
            return try MobiBook(PalmDatabase(ReadableFile(path: input.path)), limits: limits).opened
        } catch {
            throw error.about(input)
        }
    }
}
