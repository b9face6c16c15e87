internal import Files
internal import Scratch
internal import SyntheticPDF

/// Small books of every kind of source, made by jisui itself of pictures that are drawn here.
struct OptionInputs: Sendable {
    struct Book: Sendable {
        let name: String
        let path: String
        /// Whether it stands for all in tests of options to which the input means nothing.
        var isOneOfFew = false
    }

    let folder: ScratchFolder
    let books: [Book]

    struct Failure: Error {
        let command: [String]
        let message: String
    }

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        // Of several sizes, in color, with margins and a wide one; and all alike and gray.
        for (index, size) in [(64, 96), (64, 96), (60, 60), (130, 96), (64, 96)].enumerated() {
            try folder.write(
                "mixed/\(index + 1).bmp",
                OptionInputs.picture(width: size.0, height: size.1, margin: 6 + index, isGray: false, seed: index))
        }
        for index in 0..<3 {
            try folder.write(
                "even/\(index + 1).bmp",
                OptionInputs.picture(width: 64, height: 96, margin: 0, isGray: true, seed: index))
        }
        try folder.write(
            OptionSample.clips,
            Array(#"{"jisui":"clips","clips":[{"page":1,"rect":[4,4,20,30],"size":[64,96]}]}"#.utf8))
        try folder.write(OptionSample.metadata, Array(#"{"title":"Said in a file"}"#.utf8))
        try folder.write("drawn.pdf", OptionInputs.drawnPDF)
        func make(_ input: String, _ output: String, _ options: String = "") throws {
            let arguments = [input, "-o", output] + options.split(separator: " ").map(String.init)
            let outcome = try BuiltJisui.run(arguments, in: folder.path, temporary: folder.path)
            guard outcome.status == 0 else { throw Failure(command: arguments, message: outcome.errorText) }
        }
        try make("mixed", "jpegs/", "--image-format jpeg")
        try make("even", "pngs/", "--image-format png --gray")
        try make("mixed/1.bmp", "tiffs/", "--image-format tiff")
        try make("jpegs", "mixed.cbz")
        try make("pngs", "even.cb7")
        try make("jpegs", "mixed.cbt")
        try make("jpegs", "pictures.pdf")
        try make("pngs", "even.epub")
        try make("jpegs", "web/", "--to web")
        try make("pngs", "even.pdf")
        books = [
            Book(name: "folder of JPEGs", path: "jpegs", isOneOfFew: true), Book(name: "folder of PNGs", path: "pngs"),
            Book(name: "picture", path: "tiffs/1.tif"), Book(name: "zip", path: "mixed.cbz"),
            Book(name: "7z", path: "even.cb7"), Book(name: "tar", path: "mixed.cbt"),
            Book(name: "PDF of JPEGs", path: "pictures.pdf"), Book(name: "PDF of samples", path: "even.pdf"),
            Book(name: "PDF of drawings", path: "drawn.pdf", isOneOfFew: true),
            Book(name: "EPUB", path: "even.epub"), Book(name: "folder for browsers", path: "web"),
        ]
    }

    /// Three pages of 64 by 96 pixels at 300 pixels per inch, of which the second shows less than its medium.
    private static var drawnPDF: [UInt8] {
        let boxes = ["", "/CropBox[1 1 14 22]", ""]
        let pages = boxes.indices.map { index in
            "/MediaBox[0 0 15.36 23.04]\(boxes[index])/Contents \(3 + index) 0 R/Resources<</Font<</F<</Type/Font"
                + "/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        }
        let contents = boxes.indices.map { index in
            SyntheticPDF.stream(
                "", "0.\(index + 2) 0.5 0.9 rg 3 4 8 \(9 + index) re f BT /F 4 Tf 3 16 Td (jisui) Tj ET")
        }
        return SyntheticPDF.bytes(pages: pages, contents)
    }

    /// A BMP of 24 bits: boxes on white.
    private static func picture(width: Int, height: Int, margin: Int, isGray: Bool, seed: Int) -> [UInt8] {
        let row = (3 * width + 3) / 4 * 4
        var samples = [UInt8](repeating: 250, count: row * height)
        for y in margin..<height - margin {
            for x in margin..<width - margin where (x / 5 + y / (7 + seed)) % 2 == 0 {
                let value = UInt8(clamping: 20 + 2 * x % 150)
                for channel in 0..<3 {
                    samples[y * row + 3 * x + channel] = isGray ? value : value &+ UInt8(30 * channel + 10 * seed)
                }
            }
        }
        func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let header = four(54 + samples.count) + four(0) + four(54)
        let fields = four(40) + four(width) + four(height) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
        return Array("BM".utf8) + header + fields + samples
    }

    /// The contents of a folder by path.
    static func files(in folder: String) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in Files.names(in: folder) {
            let path = "\(folder)/\(name)"
            if FileStatus.isFolder(path) {
                for (inner, bytes) in OptionInputs.files(in: path) { files["\(name)/\(inner)"] = bytes }
            } else {
                files[name] = (try? Files.read(path)) ?? []
            }
        }
        return files
    }
}
