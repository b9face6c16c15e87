internal import Files
internal import FoundationEssentials
internal import Imaging
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// The sizes on the contact sheet. They affect no crop; no measurement is recorded.
enum ContactSheetLimits {
    /// The minimum length of an image's longer side, in pixels: about that at which a screen shows it.
    static let side = 600
    /// The maximum number of pixels of all images that show each pixel of their page: 14 pages of 8.7 million. They take
    /// about 15 MB of the file.
    static let largePixels = 128_000_000
    /// The JPEG quality of images. It is low, because one file contains all pages.
    static let quality = 55
    /// The thickness of a hollow mark's frame: the page's shorter side divided by this.
    static let framesPerSide = 120
}

/// The contact sheet of `--trim-sheet`: a book's pages with their findings and decisions, as one HTML file.
///
/// It needs no other file and loads nothing. It contains the file of `--trim-file` and a script for correcting and saving boxes.
/// Names and titles are untrusted: all of them are escaped. A policy also keeps browsers from running any script except the
/// sheet's own, if any text were parsed as markup.
struct ContactSheet {
    struct Entry {
        /// The number of the page in the book, from 1.
        let number: Int
        /// `Page.id`, which identifies it in the file of boxes.
        let id: Int
        let name: String
        /// The decision and its reason.
        let remark: Message
        /// The finding; nil for a page that could not be analyzed.
        let finding: PrintFinding?
        let decision: TrimDecision?
        /// A JPEG with each pixel of the page; nil for that of the finding, which is smaller.
        var largePicture: [UInt8]?
    }

    /// The sheet's own script and style.
    private static let script = PackageResources.sheet_js + PackageResources.viewer_js
    private static let style = String(decoding: PackageResources.sheet_css, as: UTF8.self)

    /// The content that a browser may load and run (CSP 3, §2.3.1).
    ///
    /// It consists of images within the sheet, its style, and its script, which is identified by its digest.
    private static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "script-src 'sha256-\(Data(SHA256.digest(of: script)).base64EncodedString())'"

    private let title: String
    private let entries: [Entry]
    private let boxes: BoxFile
    private let fileName: String
    private let language: MessageLanguage

    /// - Parameters:
    ///   - boxes: the decisions. They can be corrected on the sheet.
    ///   - file: the path of the file of boxes, if it exists. Corrections are saved under its name.
    init(
        title: String, _ entries: [Entry], _ boxes: BoxFile, file: String?, in language: MessageLanguage = .english
    ) {
        self.title = title
        self.entries = entries
        self.boxes = boxes
        self.language = language
        fileName = file.map { FileName.shown(FileName.last(of: $0)) } ?? "boxes.json"
    }

    /// The whole file, with the pages that should be checked first at the beginning.
    var html: String {
        let order = SheetOrder(entries)
        let parts = order.parts.map { title, entries in section(title, entries, order) }
        return """
            <!DOCTYPE html>
            <html lang="\(language.tag)"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ContactSheet.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(SheetTexts.title(title)))</title>
            <style>
            \(ContactSheet.style)</style></head>
            <body data-file="\(XMLText.escaped(fileName))" data-boxes="\(XMLText.escaped(boxes.text))" \
            data-texts="\(XMLText.escaped(SheetTexts.json(language).compactText))">
            <header><h1>\(XMLText.escaped(title))</h1>
            \(legend)
            </header>
            \(parts.joined(separator: "\n"))
            <script>\(String(decoding: ContactSheet.script, as: UTF8.self))</script></body></html>

            """
    }

    /// The text of a message in the sheet's language, for HTML.
    private func escaped(_ message: Message) -> String { XMLText.escaped(language.text(message)) }

    /// The meaning of the colors: of two for everybody, and of the others for those who want to know the reasons.
    private var legend: String {
        func key(_ kind: String, _ text: Message) -> String {
            "<span><i class=\"\(kind)\"></i>\(escaped(text))</span>"
        }
        let marks = Mark.Kind.allCases.map { key("mark \($0.rawValue)", $0.label) }
        let analysis = SheetTexts.boxes.map { key($0.kind, $0.text) } + marks
        return "<p class=\"key\">\(key("kept", SheetTexts.kept))\(key("cut", SheetTexts.cut))"
            + "<label><input type=\"checkbox\" id=\"analysis\">\(escaped(SheetTexts.analysis))</label></p>\n"
            + "<p class=\"key analysis\">\(analysis.joined())</p>"
    }

    /// Returns marks of one kind as one filled path, hollow ones as frames; an empty text without marks.
    private static func path(_ kind: Mark.Kind, _ marks: [Mark], on size: PixelSize) -> String {
        if marks.isEmpty { return "" }
        let border = max(1, min(size.width, size.height) / ContactSheetLimits.framesPerSide)
        let lines = marks.map { mark in
            let box = mark.box
            let outline = "M\(box.x) \(box.y)h\(box.width)v\(box.height)h-\(box.width)Z"
            let inside = PixelSize(width: box.width - 2 * border, height: box.height - 2 * border)
            guard mark.isHollow, inside.width > 0, inside.height > 0 else { return outline }
            // Drawn in the other direction, it is a hole (SVG 2, fill-rule nonzero).
            return outline + "M\(box.x + border) \(box.y + border)v\(inside.height)h\(inside.width)v-\(inside.height)Z"
        }
        return "<path class=\"mark \(kind.rawValue)\" d=\"\(lines.joined())\"/>"
    }

    private static func rect(_ kind: String, _ box: PixelRect) -> String {
        "<rect class=\"\(kind)\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\"/>"
    }

    private func section(_ title: Message, _ entries: [Entry], _ order: SheetOrder) -> String {
        let figures = entries.map { figure($0, isDoubtful: order.isDoubtful($0)) }
        return "<h2>\(escaped(title)) (\(entries.count))</h2>\n"
            + "<div class=\"pages\">\n\(figures.joined(separator: "\n"))\n</div>"
    }

    private func figure(_ entry: Entry, isDoubtful: Bool) -> String {
        let size = entry.finding?.page.size
        let isWide = size.map { 5 * $0.width > 6 * $0.height } ?? false
        let kinds = [isDoubtful ? "doubtful" : nil, isWide ? "wide" : nil].compactMap(\.self)
        let kind = kinds.isEmpty ? "" : " class=\"\(kinds.joined(separator: " "))\""
        let name = "<b>\(entry.number)</b> \(XMLText.escaped(FileName.shown(entry.name)))"
        var (page, sureness) = ("", "")
        if let finding = entry.finding, let decision = entry.decision {
            page = ContactSheet.drawing(entry, finding, decision)
            sureness = "<br>\(self.sureness(finding, decision))"
        }
        return "<figure\(kind)>\(page)<figcaption>\(name)<br>\(escaped(entry.remark))\(sureness)</figcaption></figure>"
    }

    /// Returns how sure a decision is, and the angle of the page.
    private func sureness(_ finding: PrintFinding, _ decision: TrimDecision) -> String {
        let percent = Int(clamping: decision.confidence * 100, to: 0...100)
        let angle = finding.page.skew.map { finding.page.isDeskewed ? SheetTexts.rotated(by: $0) : SheetTexts.skew($0) }
        let sure = "<span class=\"sure\">\(escaped(SheetTexts.sure(percent, decision.doubt?.label)))</span>"
        return sure + (angle.map { "<span class=\"analysis\"><br>\(escaped($0))</span>" } ?? "")
    }

    /// Returns the image of a page with its boxes and marks.
    private static func drawing(_ entry: Entry, _ finding: PrintFinding, _ decision: TrimDecision) -> String {
        let size = finding.page.size
        let picture = (entry.largePicture ?? finding.page.thumbnail).map {
            "<image width=\"\(size.width)\" height=\"\(size.height)\" preserveAspectRatio=\"none\" "
                + "href=\"data:image/jpeg;base64,\(Data($0).base64EncodedString())\"/>"
        }
        let marks = Mark.Kind.allCases.map { kind in
            path(kind, finding.page.marks.filter { $0.kind == kind }, on: size)
        }
        let found = [
            ("sheet", finding.page.sheet), ("content", finding.content), ("number", finding.pageNumber),
            ("head", finding.head),
        ].compactMap { kind, box in box.map { rect(kind, $0) } }
        let cut = decision.box.map {
            "<path class=\"cut\" d=\"M0 0H\(size.width)V\(size.height)H0ZM\($0.x) \($0.y)h\($0.width)v\($0.height)"
                + "h-\($0.width)Z\"/>"
        }
        return "<svg data-page=\"\(entry.id)\" style=\"--shape:\(size.width)/\(size.height)\" "
            + "viewBox=\"0 0 \(size.width) \(size.height)\">\(picture ?? "")"
            + "<g class=\"analysis\">\(marks.joined())</g>\(cut ?? "")<g class=\"analysis\">\(found.joined())</g>"
            + rect("kept", decision.box ?? PixelRect(x: 0, y: 0, size)) + "</svg>"
    }
}

/// Images of pages for the contact sheet.
enum Thumbnail {
    /// - Returns: nil if it cannot be encoded.
    static func jpeg(of raster: Raster) -> [UInt8]? {
        let factor = max(1, max(raster.size.width, raster.size.height) / ContactSheetLimits.side)
        return large(of: raster.reducedToGray(by: factor))
    }

    /// Returns an image with all pixels; nil if it cannot be encoded.
    static func large(of raster: Raster) -> [UInt8]? {
        try? PictureEncoder.encode(raster, as: .jpeg, .quality(ContactSheetLimits.quality))
    }
}
