/// What `pdfinfo -box -f 1 -l N` prints.
struct PDFInfo {
    private(set) var pageCount = 0
    /// By page and name: "1 CropBox".
    private(set) var boxes: [String: [Double]] = [:]
    private(set) var rotations: [Int: Int] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
            if words.first == "Pages", words.count == 2 { pageCount = Int(words[1]) ?? 0 }
            guard words.first == "Page", words.count >= 4, let number = Int(words[1]) else { continue }
            if words[2] == "rot" { rotations[number] = Int(words[3]) }
            if words[2].hasSuffix("Box") { boxes["\(number) \(words[2])"] = words[3...].compactMap { Double($0) } }
        }
    }
}
