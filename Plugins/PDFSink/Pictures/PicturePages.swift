internal import Files
internal import PDFStructure
internal import PageModel

/// A builder for pages that show images; it also gives these and copied pages their invisible text.
final class PicturePages {
    private let document: PDFFile
    private let images: [PDFReference]
    private let spool: SpoolFile
    /// The content streams of pages: pages of one size share them.
    private var contents: [[UInt8]: PDFReference] = [:]
    private let layers: TextLayers?
    /// The fonts of pages with text.
    private let fonts: PDFValue?

    /// - Throws: `.unwritable`; `PDFFile.outOfMemory`.
    init(_ document: PDFFile, _ pictures: PictureSpool, _ layers: TextLayers?) throws(AdapterError) {
        self.document = document
        self.layers = layers
        images = try pictures.write(to: document)
        fonts = try layers?.writeFonts(to: document)
        spool = try SpoolFile()
    }

    /// Returns the image object in the document, by its place in the spool.
    func image(_ index: Int) -> PDFReference { images[index] }

    /// Returns a page that shows an image, and has the text in the image.
    func page(
        _ picture: Int, _ layout: PictureLayout, _ text: TextLayers.Layer?
    ) throws(AdapterError) -> PDFObject {
        try page(
            media: layout.media, crop: layout.crop, layout.content, ["I": .reference(images[picture])], text)
    }

    /// Returns a page from all its parts.
    ///
    /// - Parameters:
    ///   - painting: the operators that paint it.
    ///   - objects: the objects by their names in `painting`.
    func page(
        media: PDFBox, crop: PDFBox? = nil, _ painting: [UInt8], _ objects: [String: PDFValue],
        _ text: TextLayers.Layer?
    ) throws(AdapterError) -> PDFObject {
        var resources: [String: PDFValue] = ["XObject": .dictionary(objects)]
        var content = PDFValue.reference(try self.content(painting))
        if let text, let layers, let fonts {
            resources["Font"] = fonts
            content = .array([content, .reference(try layers.write(text, to: document))])
        }
        var dictionary: [String: PDFValue] = [
            "Type": .name("Page"), "MediaBox": PDFValue(media), "Contents": content,
            "Resources": .dictionary(resources),
        ]
        if let crop { dictionary["CropBox"] = PDFValue(crop) }
        return document.object(try document.add(.dictionary(dictionary)))
    }

    /// Gives a page that is copied unchanged the text that was recognized on it.
    ///
    /// - Parameter geometry: the geometry of the page by itself.
    func lay(
        _ text: TextLayers.Layer, below page: PDFObject, _ geometry: PageGeometry, _ framing: Framing
    ) throws(AdapterError) {
        guard let layers, let fonts else { return }
        let (box, matrix) = (geometry.seen(framing), geometry.matrixOfSeen(framing))
        try document.lay(layers.writeForm(text, on: box, by: matrix, fonts, to: document), below: page)
    }

    private func content(_ text: [UInt8]) throws(AdapterError) -> PDFReference {
        if let known = contents[text] { return known }
        let start = try spool.append(text)
        let content = try document.addStream([:], spool, at: start..<start + text.count)
        contents[text] = content
        return content
    }
}
