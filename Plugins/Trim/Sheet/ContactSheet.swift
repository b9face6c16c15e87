internal import DecisionFiles
internal import Imaging
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

/// The contact sheet of `--trim-sheet`: a book's pages with their findings and decisions, and the file of `--trim-file`.
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

    private let sheet: DecisionSheet
    private let entries: [Entry]
    private let boxes: TrimFile
    private let file: String?

    /// - Parameters:
    ///   - boxes: the decisions. They can be corrected on the sheet.
    ///   - file: the path of the file of boxes, if it exists. Corrections are saved under its name.
    init(
        title: String, _ entries: [Entry], _ boxes: TrimFile, file: String?, in language: MessageLanguage = .english
    ) {
        sheet = DecisionSheet(
            SheetTexts.title(title), heading: title, style: PackageResources.sheet_css,
            script: PackageResources.sheet_js + PackageResources.viewer_js, in: language)
        (self.entries, self.boxes, self.file) = (entries, boxes, file)
    }

    /// The whole file, with the pages that should be checked first at the beginning.
    var html: String {
        let order = SheetOrder(entries)
        return sheet.html(
            legend: legend,
            order.parts.map { title, entries in
                (title, entries.map { figure($0, isDoubtful: order.isDoubtful($0)) })
            }, decisions: boxes.text, path: file, orName: "boxes.json", texts: SheetTexts.ofScript)
    }

    /// The meaning of the colors: of two for everybody, and of the others for those who want to know the reasons.
    private var legend: String {
        func key(_ kind: String, _ text: Message) -> String {
            "<span><i class=\"\(kind)\"></i>\(sheet.escaped(text))</span>"
        }
        let marks = Mark.Kind.allCases.map { key("mark \($0.rawValue)", $0.label) }
        let analysis = SheetTexts.boxes.map { key($0.kind, $0.text) } + marks
        return "<p class=\"key\">\(key("kept", SheetTexts.kept))\(key("cut", SheetTexts.cut))"
            + "<label><input type=\"checkbox\" id=\"analysis\">\(sheet.escaped(SheetTexts.analysis))</label></p>\n"
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

    private func figure(_ entry: Entry, isDoubtful: Bool) -> String {
        let size = entry.finding?.page.size
        let isWide = size.map { 5 * $0.width > 6 * $0.height } ?? false
        let kinds = [isDoubtful ? "doubtful" : nil, isWide ? "wide" : nil].compactMap(\.self)
        let kind = kinds.isEmpty ? "" : " class=\"\(kinds.joined(separator: " "))\""
        var (page, sureness) = ("", "")
        if let finding = entry.finding, let decision = entry.decision {
            page = ContactSheet.drawing(entry, finding, decision)
            sureness = "<br>\(self.sureness(finding, decision))"
        }
        let name = sheet.name(entry.number, entry.name)
        let remark = sheet.escaped(entry.remark)
        return "<figure\(kind)>\(page)<figcaption>\(name)<br>\(remark)\(sureness)</figcaption></figure>"
    }

    /// Returns how sure a decision is, and the angle of the page.
    private func sureness(_ finding: PrintFinding, _ decision: TrimDecision) -> String {
        let percent = Int(clamping: decision.confidence * 100, to: 0...100)
        let angle = finding.page.skew.map { finding.page.isDeskewed ? SheetTexts.rotated(by: $0) : SheetTexts.skew($0) }
        let sure = "<span class=\"sure\">\(sheet.escaped(SheetTexts.sure(percent, decision.doubt?.label)))</span>"
        return sure + (angle.map { "<span class=\"analysis\"><br>\(sheet.escaped($0))</span>" } ?? "")
    }

    /// Returns the image of a page with its boxes and marks.
    private static func drawing(_ entry: Entry, _ finding: PrintFinding, _ decision: TrimDecision) -> String {
        let size = finding.page.size
        let picture = (entry.largePicture ?? finding.page.thumbnail).map {
            "<image width=\"\(size.width)\" height=\"\(size.height)\" preserveAspectRatio=\"none\" "
                + "href=\"\(DecisionSheet.address(ofJPEG: $0))\"/>"
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
