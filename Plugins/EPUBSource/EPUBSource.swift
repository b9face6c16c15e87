public import AdapterKit
internal import Files
public import PageModel
internal import ZipFile

/// The source for comics and image-only books in fixed-layout EPUBs: each page of the spine that shows one image.
///
/// The image is returned as stored. If a page shows a part of it, by the view box of an SVG, the page is that part. A book of
/// flowing text has no pages to convert, and is refused.
public struct EPUBSource: SourceAdapter {
    public let descriptor = AdapterDescriptor(
        id: "epub", summary: "image-only EPUBs: comics, manga, picture books", extensions: ["epub"])

    public init() {}

    public func recognize(_ probe: Probe) -> Recognition {
        // Only a possible EPUB is opened: every comic archive is a zip, too. The name of the first file follows the 30 bytes of
        // the first header (OCF, §4.2.1.1).
        guard probe.head.starts(with: [0x50, 0x4B]),
            probe.pathExtension == "epub" || probe.head.dropFirst(30).starts(with: Array("mimetype".utf8)),
            let file = try? ReadableFile(path: probe.path),
            let zip = try? ZipReader(file, limits: Limits())
        else { return .no }
        if EPUBContainer.statesItsType(zip) { return .certain }
        return zip.entry(named: EPUBContainer.containerPath) == nil ? .no : .certain
    }

    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        do {
            // The limits are for pages: the documents about them have one of their own.
            var room = limits
            room.entryBytes = max(limits.entryBytes, EPUBContainer.maximumBytes)
            let zip = try ZipReader(try ReadableFile(path: input.path), limits: room)
            return try EPUBBook(EPUBContainer(zip), limits: limits).opened
        } catch {
            throw error.about(input)
        }
    }
}
