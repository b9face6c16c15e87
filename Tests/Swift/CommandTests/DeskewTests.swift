internal import Scratch
internal import Testing

/// A slanted page from file to file.
@Suite struct DeskewTests {
    /// 620 by 880 pixels of 24 bits: lines of letters that rise by a twentieth.
    private static var page: [UInt8] {
        let (width, height) = (620, 880)
        var rows = [[UInt8]](repeating: [UInt8](repeating: 235, count: 3 * width), count: height)
        for line in 0..<25 {
            for letter in 0..<28 {
                let (left, top) = (80 + 16 * letter + 24 * line / 20, 120 + 24 * line - 16 * letter / 20)
                for y in top..<top + 14 where y < top + 4 || y >= top + 10 {
                    for x in left..<left + 11 { for part in 0..<3 { rows[y][3 * x + part] = 40 } }
                }
            }
        }
        func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let header = four(54 + 3 * width * height) + four(0) + four(54)
        let fields = four(40) + four(width) + four(height) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
        return Array("BM".utf8) + header + fields + rows.reversed().flatMap(\.self)
    }

    @Test func aSlantedPageBecomesLevel() throws {
        let scratch = try ScratchFolder()
        _ = try scratch.write("page.bmp", Self.page)
        func jisui(_ arguments: String) throws -> (status: Int32, output: String, error: String) {
            let outcome = try Program.outcome(
                "jisui \(arguments)", in: scratch(""), environment: BuiltJisui.environment(temporary: scratch("")))
            return (outcome.status, outcome.outputText, outcome.errorText)
        }
        let refused = try jisui("page.bmp -o a.cbz --deskew --lossless")
        #expect(refused.status == 1)
        #expect(refused.error.contains("would have to be encoded: the BMP's pixels, deskewed, stored as PNG"))
        let made = try jisui("page.bmp -o a.cbz --deskew --trim page -q --report -")
        #expect(made.output.contains("\"treatment\": \"encoded\""))
        #expect(made.output.contains("\"skew\": 2.8") && made.output.contains("\"deskewed\": true"))
        let again = try jisui("a.cbz -o b.cbz --deskew -n")
        #expect(again.output.contains("its lines are level"), "\(again)")
    }
}
