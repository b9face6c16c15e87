import Scratch
import Testing

/// A curved page from file to file.
@Suite struct FlattenTests {
    /// 620 by 880 pixels of 24 bits: lines of letters that are lowered by so much more the nearer they are to the left, away
    /// from the middle.
    private static func page(bow: Int) -> [UInt8] {
        let (width, height) = (620, 880)
        var rows = [[UInt8]](repeating: [UInt8](repeating: 235, count: 3 * width), count: height)
        for line in 0..<25 {
            for letter in 0..<28 where letter % 6 != 5 {
                let (left, near) = (80 + 16 * letter, 28 - letter)
                let top = 120 + 24 * line + bow * (line - 12) * near * near * near / (12 * 28 * 28 * 28)
                for y in top..<top + 14 {
                    let width = y < top + 4 || y >= top + 10 ? 11 : 3
                    for x in left..<left + width { for part in 0..<3 { rows[y][3 * x + part] = 40 } }
                }
            }
        }
        func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let header = four(54 + 3 * width * height) + four(0) + four(54)
        let fields = four(40) + four(width) + four(height) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
        return Array("BM".utf8) + header + fields + rows.reversed().flatMap(\.self)
    }

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        _ = try scratch.write("curved.bmp", Self.page(bow: 48))
        _ = try scratch.write("straight.bmp", Self.page(bow: 0))
    }

    private func jisui(_ arguments: String) throws -> (status: Int32, output: String, error: String) {
        let outcome = try Program.outcome(
            "jisui \(arguments)", in: scratch(""), environment: BuiltJisui.environment(temporary: scratch("")))
        return (outcome.status, outcome.outputText, outcome.errorText)
    }

    @Test func aCurvedPageBecomesFlat() throws {
        let refused = try jisui("curved.bmp -o a.cbz --flatten --lossless")
        #expect(refused.status == 1)
        #expect(refused.error.contains("would have to be encoded: the BMP's pixels, flattened, stored as PNG"))
        let made = try jisui("curved.bmp -o a.cbz --flatten --deskew --trim page --gray -q --report -")
        #expect(made.output.contains("\"treatment\": \"encoded\""))
        #expect(made.output.contains("flattened, cropped and made gray, stored as PNG"), "\(made)")
        #expect(made.output.contains("\"flattened\": true") && made.output.contains("\"deskewed\": false"))
        #expect(made.output.contains("trimmed to its own content"))
        let again = try jisui("a.cbz -o b.cbz --flatten -n")
        #expect(again.output.contains("not flattened: its lines are straight"), "\(again)")
    }

    @Test func aStraightPageArrivesUntouched() throws {
        #expect(try jisui("straight.bmp -o page.cbz -q").status == 0)
        #expect(try jisui("page.cbz -o plain/ -q").status == 0)
        let made = try jisui("page.cbz -o flat/ --flatten -q --report -")
        #expect(made.output.contains("\"flatten\": \"not flattened: its lines are straight\""), "\(made)")
        #expect(try Files.read(scratch("flat/0001.png")) == Files.read(scratch("plain/0001.png")))
    }

    /// Boxes of flat pages are not those of curved ones.
    @Test func aFileOfBoxesIsOfFlatPagesOrNot() throws {
        let trim = "--trim page --trim-file boxes.json --flatten-file curves.json"
        #expect(try jisui("curved.bmp -o a.cbz -n -q \(trim) --flatten").status == 0)
        #expect(try jisui("curved.bmp -o a.cbz -q \(trim) --flatten").status == 0)
        let refused = try jisui("curved.bmp -o b.cbz -q --trim page --trim-file boxes.json")
        #expect(refused.status == 64)
        #expect(refused.error.contains("was made when the page was flattened, and now it is not"), "\(refused)")
        let sheet = try jisui("curved.bmp -o b.cbz -n -q --flatten --trim page --trim-sheet sheet.html")
        #expect(sheet.status == 0)
        let html = String(decoding: try Files.read(scratch("sheet.html")), as: UTF8.self)
        #expect(html.contains("flattened by ") && html.contains("trimmed to its own content"))
    }
}
