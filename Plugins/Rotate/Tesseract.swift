internal import PageModel
package import Processes
internal import Synchronization

/// The limits of what tesseract says about the way up of a page.
///
/// Confidences are in tesseract's own unit. Measured on 290 pages of books, comics and manga, each in four rotations. Of the
/// answers from 3 on, 345 were right. Four were wrong, all about one page: with up to 6.8, and as Thai text.
enum TesseractLimits {
    /// The minimum confidence about the way up.
    static let minimumConfidence = 3.0
    /// The minimum confidence if the script is a rare one, or the book's other pages have another way up.
    static let sureConfidence = 10.0
    /// The scripts of the measured pages. Upside-down text often looks like a rare script.
    static let usualScripts: Set = [
        "Latin", "Fraktur", "Cyrillic", "Greek", "Arabic", "Japanese", "Han", "Hiragana", "Katakana",
    ]
    /// The scripts whose lines may run down the page.
    static let scriptsOfColumns: Set = ["Japanese", "Han", "Hiragana", "Katakana", "Hangul", "Korean"]
}

/// The search of tesseract for the way up of a page: orientation and script detection.
public final class Tesseract: Sendable {
    private let program: ImageReader?
    /// Whether tesseract has no data for orientations, which the first page shows.
    private let lacksData = Atomic(false)

    /// - Parameter folders: the folders in which the program may be.
    package init(_ launcher: PluginLauncher, folders: [String] = ImageReader.folders) {
        program = ImageReader("tesseract", launcher, folders: folders)
    }

    /// The way up of a page.
    struct Answer: Equatable {
        /// The number of clockwise quarter turns that make the text upright, 0 to 3.
        let quarters: Int
        /// Whether upright lines of its script may run down the page.
        let mayRunDown: Bool
        /// Whether it holds even if the book's other pages have another way up.
        var isSure = true
    }

    /// Returns the way up of a page; nil if tesseract is not installed, or does not know.
    ///
    /// - Parameters:
    ///   - raster: gray of 8 bits.
    ///   - seconds: the time limit; nil for the usual one.
    /// - Throws: `CancellationError`.
    func answer(about raster: Raster, seconds: Int?) async throws -> Answer? {
        guard let program, !lacksData.load(ordering: .relaxed) else { return nil }
        let head = "P5\n\(raster.size.width) \(raster.size.height)\n255\n"
        let output = try await program.run(
            [ImageReader.image, "stdout", "--psm", "0", "-l", Tesseract.data], on: Array(head.utf8) + raster.samples,
            pixels: raster.size.area, seconds: seconds)
        guard let output else { return nil }
        guard output.hasSucceeded else {
            if output.text.contains("\(Tesseract.data).traineddata") { lacksData.store(true, ordering: .relaxed) }
            return nil
        }
        return Tesseract.answer(in: output.text)
    }

    private static let data = "osd"

    /// Returns the answer in the printed text of tesseract; nil if it is not sure.
    static func answer(in text: String) -> Answer? {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            values[line[..<colon]] = String(line[colon...].drop { $0 == ":" || $0 == " " })
        }
        guard let degrees = values["Rotate"], let script = values["Script"],
            let confidence = values["Orientation confidence"].flatMap({ Double($0) }),
            let quarters = degrees == "0" ? 0 : QuarterTurn(degrees: degrees)?.quarters
        else { return nil }
        let isUsual = TesseractLimits.usualScripts.contains(script)
        let minimum = isUsual ? TesseractLimits.minimumConfidence : TesseractLimits.sureConfidence
        guard confidence >= minimum else { return nil }
        return Answer(
            quarters: quarters, mayRunDown: TesseractLimits.scriptsOfColumns.contains(script),
            isSure: confidence >= TesseractLimits.sureConfidence)
    }
}
