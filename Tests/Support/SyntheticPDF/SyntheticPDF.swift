/// PDFs written by hand, to have one thing in them that a test is about.
public enum SyntheticPDF {
    /// A sound file of these objects, numbered from 1; the first is the root.
    ///
    /// - Parameter trailer: more entries of the trailer.
    public static func bytes(_ objects: [String], trailer: String = "") -> [UInt8] {
        var bytes = Array("%PDF-1.7\n".utf8)
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            table += padded(bytes.count) + " 00000 n \n"
            bytes += Array("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
        }
        let start = bytes.count
        table += "trailer\n<</Size \(objects.count + 1)/Root 1 0 R\(trailer)>>\n"
        bytes += Array("\(table)startxref\n\(start)\n%%EOF\n".utf8)
        return bytes
    }

    /// A file whose pages have these dictionaries, without /Type and /Parent; the other objects are numbered from 3.
    public static func bytes(pages: [String], _ others: [String] = []) -> [UInt8] {
        let first = 3 + others.count
        let kids = pages.indices.map { "\(first + $0) 0 R" }.joined(separator: " ")
        return bytes(
            ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count \(pages.count)/Kids[\(kids)]>>"] + others
                + pages.map { "<</Type/Page/Parent 2 0 R\($0)>>" })
    }

    public static func stream(_ dictionary: String = "", _ content: String) -> String {
        "<</Length \(content.utf8.count)\(dictionary)>>stream\n\(content)\nendstream"
    }

    /// A gray picture, 8 bits a sample, whose samples are printable.
    public static func picture(width: Int, height: Int) -> String {
        stream(
            "/Type/XObject/Subtype/Image/Width \(width)/Height \(height)/BitsPerComponent 8/ColorSpace/DeviceGray",
            String(repeating: "jisui", count: (width * height + 4) / 5).prefix(width * height).description)
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 10 - digits.count) + digits
    }
}
