internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// Makes pages that show one picture each.
final class PicturePages {
    private let document: PDFFile
    private let images: [PDFReference]
    private let spool: SpoolFile
    /// What paints a page: pages of one size are painted alike.
    private var contents: [[UInt8]: PDFReference] = [:]

    /// - Throws: `.unwritable`; `PDFFile.outOfMemory`.
    init(_ document: PDFFile, _ pictures: PictureSpool) throws(AdapterError) {
        self.document = document
        images = try pictures.write(to: document)
        spool = try SpoolFile()
    }

    /// A picture.
    func image(_ index: Int) -> PDFReference { images[index] }

    /// A page that shows a picture.
    func page(_ picture: Int, _ layout: PictureLayout) throws(AdapterError) -> PDFObject {
        var dictionary: [String: PDFValue] = [
            "Type": .name("Page"), "MediaBox": PDFValue(layout.media),
            "Contents": .reference(try content(layout.content)),
            "Resources": .dictionary(["XObject": .dictionary(["I": .reference(images[picture])])]),
        ]
        if let crop = layout.crop { dictionary["CropBox"] = PDFValue(crop) }
        return document.object(try document.add(.dictionary(dictionary)))
    }

    /// What paints a page.
    func content(_ text: [UInt8]) throws(AdapterError) -> PDFReference {
        if let known = contents[text] { return known }
        let start = try spool.append(text)
        let content = try document.addStream([:], spool, at: start..<start + text.count)
        contents[text] = content
        return content
    }
}
