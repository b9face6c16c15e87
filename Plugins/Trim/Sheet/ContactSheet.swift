internal import Files
internal import FoundationEssentials
internal import Imaging
internal import Metadata
internal import PageModel

/// The sizes on the contact sheet. They affect no crop; no measurement is recorded.
enum ContactSheetLimits {
    /// The height at which a page is shown, in CSS pixels. Several rows then fit on a screen.
    static let height = 300
    /// The widths at which a page is shown, in CSS pixels. The caption of a strip still fits, and a panorama does not
    /// fill a row.
    static let widths = 60...900
    /// The minimum length of a thumbnail's longer side, in pixels: that at which it is shown.
    static let thumbnail = 300
    /// The JPEG quality of thumbnails. It is low, because one file contains all pages.
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
    }

    /// The sheet's own script.
    private static let script = String(decoding: PackageResources.sheet_js, as: UTF8.self)

    /// The content that a browser may load and run (CSP 3, §2.3.1).
    ///
    /// It consists of images within the sheet, its style, and its script, which is identified by its digest.
    private static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "script-src 'sha256-\(Data(SHA256.digest(of: PackageResources.sheet_js)).base64EncodedString())'"

    private let title: String
    private let entries: [Entry]
    private let boxes: BoxFile
    private let fileName: String

    /// - Parameters:
    ///   - boxes: the decisions. They can be corrected on the sheet.
    ///   - file: the path of the file of boxes, if it exists. Corrections are saved under its name.
    init(title: String, _ entries: [Entry], _ boxes: BoxFile, file: String?) {
        self.title = title
        self.entries = entries
        self.boxes = boxes
        fileName = file.map { FileName.shown(FileName.last(of: $0)) } ?? "boxes.json"
    }

    /// The whole file, with the pages that should be checked first at the beginning.
    var html: String {
        let parts = SheetOrder(entries).parts
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ContactSheet.policy)">
            <meta name="viewport" content="width=device-width">
            <title>\(XMLText.escaped(title)): trimming</title>
            <style>
            body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;background:#c4c4c4;color:#000}
            main{display:flex;flex-wrap:wrap;gap:16px 12px;align-items:flex-start}
            figure{margin:0;width:min-content}svg{display:block;overflow:visible;background:#fff}
            figcaption{font-size:12px;margin-top:3px;overflow-wrap:anywhere}
            .cut{fill:#000;fill-opacity:.3;fill-rule:evenodd}
            rect{fill:none;vector-effect:non-scaling-stroke;stroke-width:2}
            .kept{stroke:#d00000}.content{stroke:#e08000;stroke-dasharray:5 3}
            .number{stroke:#0050e0}.head{stroke:#007a30}.sheet{stroke:#7a3db8;stroke-dasharray:2 3}
            .mark{stroke:none;fill-opacity:.35}\(Mark.Kind.allCases.map { ".\($0.rawValue){fill:\(ContactSheet.color($0))}" }.joined())
            .key span{margin-right:1.5em}.key i{display:inline-block;width:1.2em;height:.8em;border:2px solid}
            .handle{stroke:transparent;stroke-width:16;vector-effect:non-scaling-stroke;pointer-events:stroke;touch-action:none}
            .left,.right{cursor:ew-resize}.top,.bottom{cursor:ns-resize}
            .left-top,.right-top,.left-bottom,.right-bottom{stroke-width:24;stroke-linecap:square}
            .left-top,.right-bottom{cursor:nwse-resize}.right-top,.left-bottom{cursor:nesw-resize}
            .changed .kept{stroke-width:4}.changed figcaption::before{content:"corrected: ";font-weight:bold}
            .bar{position:sticky;top:0;z-index:1;background:#c4c4c4;padding:.5em 0;display:flex;flex-wrap:wrap;gap:.5em 1em}
            .bar button{font:inherit}
            </style></head><body data-file="\(XMLText.escaped(fileName))" data-boxes="\(XMLText.escaped(boxes.text))">
            <h1>\(XMLText.escaped(title))</h1>
            <p class="key"><span><i style="border-color:#d00000"></i> kept, the rest \
            darkened</span><span><i style="border:2px dashed \
            #e08000"></i> found</span><span><i style="border-color:#0050e0"></i> number</span><span><i \
            style="border-color:#007a30"></i> head</span><span><i style="border:2px dotted #7a3db8"></i> \
            sheet</span>\(Mark.Kind.allCases.map(ContactSheet.key).joined())</p>
            \(parts.map(ContactSheet.section).joined(separator: "\n"))
            <script>\(ContactSheet.script)</script></body></html>

            """
    }

    /// Returns the color for a kind of marks.
    private static func color(_ kind: Mark.Kind) -> String {
        switch kind {
        case .print: "#00a040"
        case .edge: "#806040"
        case .streak: "#c000c0"
        case .stain: "#d0b000"
        case .speck: "#e00000"
        }
    }

    /// Returns a line of the legend: a filled box, and the meaning of such boxes.
    private static func key(_ kind: Mark.Kind) -> String {
        "<span><i style=\"border-color:transparent;background:\(color(kind))\"></i> \(XMLText.escaped(kind.label))</span>"
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

    private static func section(_ title: String, _ entries: [Entry]) -> String {
        "<h2>\(title) (\(entries.count))</h2>\n<main>\n\(entries.map(figure).joined(separator: "\n"))\n</main>"
    }

    private static func figure(_ entry: Entry) -> String {
        let name = "<b>\(entry.number)</b> \(XMLText.escaped(FileName.shown(entry.name)))"
        guard let finding = entry.finding, let decision = entry.decision else {
            return "<figure><figcaption>\(name)<br>\(XMLText.escaped(entry.remark.english))</figcaption></figure>"
        }
        let size = finding.page.size
        let height = ContactSheetLimits.height
        let width = max(
            ContactSheetLimits.widths.lowerBound,
            min(ContactSheetLimits.widths.upperBound, size.width * height / max(1, size.height)))
        let picture = finding.page.thumbnail.map {
            "<image width=\"\(size.width)\" height=\"\(size.height)\" preserveAspectRatio=\"none\" "
                + "href=\"data:image/jpeg;base64,\(Data($0).base64EncodedString())\"/>"
        }
        let boxes = [
            ("content", finding.content), ("number", finding.pageNumber), ("head", finding.head),
            ("kept", decision.box ?? PixelRect(x: 0, y: 0, size)),
        ].compactMap { kind, box in
            box.map { ContactSheet.rect(kind, $0) }
        }
        let sheet = finding.page.sheet.map { ContactSheet.rect("sheet", $0) }
        let marks = Mark.Kind.allCases.map { kind in
            ContactSheet.path(kind, finding.page.marks.filter { $0.kind == kind }, on: size)
        }.joined()
        let cut = decision.box.map {
            "<path class=\"cut\" d=\"M0 0H\(size.width)V\(size.height)H0ZM\($0.x) \($0.y)h\($0.width)v\($0.height)"
                + "h-\($0.width)Z\"/>"
        }
        let skew = finding.page.skew.map { finding.page.isDeskewed ? "turned by \($0)°; " : "slant \($0)°; " } ?? ""
        let percent = Int(clamping: decision.confidence * 100, to: 0...100)
        let doubt = decision.doubt.map { ": \(XMLText.escaped($0.label))" } ?? ""
        return
            "<figure><svg data-page=\"\(entry.id)\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(size.width) \(size.height)\">"
            + "\(picture ?? "")\(marks)\(cut ?? "")\(sheet ?? "")\(boxes.joined())</svg><figcaption>\(name)<br>\(XMLText.escaped(entry.remark.english))"
            + "<br>\(skew)\(percent)\u{A0}%\u{A0}sure\(doubt)</figcaption></figure>"
    }
}

/// Small images of pages for the contact sheet.
enum Thumbnail {
    /// Returns nil if it cannot be encoded.
    static func jpeg(of raster: Raster) -> [UInt8]? {
        let factor = max(1, max(raster.size.width, raster.size.height) / ContactSheetLimits.thumbnail)
        return try? PictureEncoder.encode(
            raster.reducedToGray(by: factor), as: .jpeg, .quality(ContactSheetLimits.quality))
    }
}
