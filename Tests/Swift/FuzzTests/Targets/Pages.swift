internal import AdapterKit
internal import PageModel
internal import SyntheticPDF

@testable import PDFSource
@testable internal import PDFStructure

extension FuzzTarget {
    private static let operators = [
        " q ", " Q ", " cm ", "/I Do ", "/F Do ", "/G gs ", " re W n ", " BI ", " ID ", " EI ", "BT ", "(x) Tj ",
        " Tr ",
        "/OC /P BDC ", " EMC ", "<<", ">>", "[", "]", "<", ">", "/Sh sh ", " rg ", "1e9", "-.5", "%",
    ]
    private static let contents = [
        "q 100 0 0 100 0 0 cm /I Do Q", "q 0 100 -100 0 100 0 cm /I Do Q BT 3 Tr (x) Tj ET", "/F Do",
        "/OC /P BDC 0 0 100 100 re f EMC 100 0 0 100 0 0 cm /I Do",
        "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 0 0 9 9 re W n /G gs /I Do",
    ]

    /// The words of a content stream.
    static let content = FuzzTarget(name: "content", inputs: contents, words: operators, maximumBytes: 1024) { input in
        var lexer = ContentLexer(input)
        var tokens = 0
        while let token = lexer.next() {
            tokens += 1
            require(tokens <= input.count, "every word takes a byte")
            switch token {
            case .number(let value): require(!value.isNaN, "a number is one")
            case .string(let count):
                require((0...input.count).contains(count), "a string is no longer than the content")
            case .keyword("ID"): lexer.skipInlineImage()
            default: break
            }
        }
        use(tokens)
    }

    /// What a page with some content is judged to be.
    static let page = FuzzTarget(name: "page", inputs: contents, words: operators, maximumBytes: 512) { input in
        let text = String(decoding: input, as: UTF8.self)
        let picture = SyntheticPDF.picture(width: 10, height: 10)
        let resources = "/Resources<</XObject<</I 3 0 R/F 4 0 R>>/ExtGState<</G 5 0 R>>/Properties<</P 6 0 R>>>>"
        let form = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Matrix[2 0 0 2 0 0]\(resources)", "/I Do")
        let others = [picture, form, "<</ca .5/BM/Multiply>>", "<</Type/OCG/Name(x)>>", SyntheticPDF.stream("", text)]
        analyze(SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 100]/Contents 7 0 R\(resources)"], others))
    }

    /// Whole files: what they say about the book, and what their first pages are.
    static let document = FuzzTarget(
        name: "document", endings: ["pdf"],
        words: [
            "/Kids", "/Type/Pages", "/Type/Page", "/MediaBox", "/CropBox", "/Rotate", "/Contents", "/Resources", " 0 R",
            "/XObject", "/Filter", "/DCTDecode", "/CCITTFaxDecode", "/DecodeParms", "/PageLabels", "/Nums", "/Outlines",
            "/First", "/Next", "/Dest", "/UserUnit", "/Width", "/Height", "/ColorSpace", "/Indexed", "/ICCBased",
        ],
        maximumBytes: 8192
    ) { analyze($0) }

    /// Streams with filters: a dictionary, a line end, and the data. They stay within their limits, whatever the filters.
    static let unpacking = FuzzTarget(
        name: "unpacking",
        inputs: [
            "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2147483647>>\nx",
            "/Filter[/LZWDecode/FlateDecode]/DecodeParms[null<</Predictor 2/Colors 3/BitsPerComponent 4>>]\n\u{80}",
            "/Filter[/AHx/LZW/RL]/DecodeParms[null<</EarlyChange 0/Predictor 15/Columns 9>>null]\n800B6050220C0C8501>",
        ],
        words: [
            "/Filter", "/FlateDecode", "/LZWDecode", "/RunLengthDecode", "/ASCIIHexDecode", "/ASCII85Decode",
            "/DecodeParms",
            "/Predictor", "/Columns", "/Colors", "/BitsPerComponent", "/EarlyChange", "2147483647", "[", "]", "<<",
            ">>",
        ]
    ) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let data = parts.count > 1 ? Array(parts[1]) : []
        var file = Array("%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n<</Length \(data.count)".utf8)
        file += Array(parts[0]) + Array(">>stream\n".utf8) + data
        file += Array("\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n".utf8)
        let limit = 1 << 20
        guard let memory = try? PDFMemory(bytes: 0),
            let opened = try? PDFFile(SyntheticBytes(file), password: nil, memory: memory)
        else { return }
        let object = opened.object(PDFReference(number: 2, generation: 0))
        for kept in 0...1 {
            let content = try? opened.data(of: object, keepingFilters: kept, limit: limit)
            require(content.map { $0.count <= limit } ?? true, "a stream's data are within the limit")
        }
    }

    private static func analyze(_ bytes: [UInt8]) {
        let limits = Limits(pages: 1000, entryBytes: 1 << 20, pixels: 1 << 20)
        guard let file = try? PDFFile(SyntheticBytes(bytes), password: nil),
            let facts = try? DocumentFacts(file, maximumPages: limits.pages, showing: .crop)
        else { return }
        let analyzer = PageAnalyzer(
            file: file, layers: OptionalContent(file.catalog), limits: limits, seconds: 15, pagesAs: .auto)
        for page in facts.pages.prefix(3) {
            guard let node = try? file.page(at: page.path) else { continue }
            for box in PageBox.allCases {
                let analysis = analyzer.analysis(on: node, showing: box)
                let (width, height) = analysis.geometry.size
                require(width > 0 && height > 0 && width.isFinite && height.isFinite, "a page has a size")
                require(analysis.naturalResolution.map { $0 > 0 && $0.isFinite } ?? true, "a resolution is a number")
                if let mosaic = analysis.mosaic {
                    let canvas = PixelRect(x: 0, y: 0, mosaic.size)
                    require(mosaic.pieces.allSatisfy { canvas.contains($0.place) }, "a piece lies on its canvas")
                    require(Framing(mosaic.size, edits: mosaic.pending) != nil, "a scan can be made its page")
                }
                guard let extraction = analysis.extraction else { continue }
                let shown = extraction.pending.applied(to: extraction.size)
                require(shown.width > 0 && shown.height > 0, "something is left of an image")
                require(Framing(extraction.size, edits: extraction.pending) != nil, "an image can be made its page")
                let decoder = SampleDecoder(extraction, limits: limits)
                guard extraction.size.area <= limits.pixels,
                    let data = try? file.data(
                        of: file.object(extraction.stream), keepingFilters: extraction.kept, limit: decoder.limit)
                else { continue }
                use(try? decoder.decode(data))
            }
        }
    }
}
