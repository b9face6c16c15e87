import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Whatever numbers a PDF states, there is a page or an error, and never a crash.
@Suite(.endsWhenItHangs) struct ExtremeNumberTests {
    /// As they stand in a PDF: qpdf reads no whole number beyond 64 bits, but takes a fraction of any size.
    /// PDF knows no exponents: what looks like one is no number to some readers.
    private static let numbers: [String] = [
        "0", "-0", "1", "-1", "0." + String(repeating: "0", count: 19) + "1",
        "0." + String(repeating: "0", count: 320) + "1",
        "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "1" + String(repeating: "0", count: 30), "-1" + String(repeating: "0", count: 30),
        "1" + String(repeating: "0", count: 200), "1" + String(repeating: "0", count: 308),
        "-1" + String(repeating: "0", count: 308), "1" + String(repeating: "0", count: 400), "NaN", "inf", "1e99",
        "1" + String(repeating: "0", count: 18) + ".5", "1" + String(repeating: "0", count: 30) + ".5",
        "-1" + String(repeating: "0", count: 30) + ".5", "1" + String(repeating: "0", count: 308) + ".5",
        "-1" + String(repeating: "0", count: 308) + ".5", "1" + String(repeating: "0", count: 400) + ".5", "null",
        "(x)", "63", "64",
    ]

    /// The places in the file that a number is put in, by name.
    private enum Field: String, CaseIterable {
        case mediaLeft, mediaTop, mediaAll, cropLeft, cropRight, cropAll, rotate, userUnit, scale, scaleBoth, shift
        case shear, formMatrix, width, height, bits, decode, labelStart, textMode, rectangle
    }

    private static func pdf(_ field: Field, _ number: String) -> [UInt8] {
        func value(_ fields: [Field], _ usual: String) -> String { fields.contains(field) ? number : usual }
        let left = value([.mediaLeft, .mediaAll], "0")
        let top = value([.mediaTop, .mediaAll], "50")
        let negative = number.hasPrefix("-") ? String(number.dropFirst()) : "-\(number)"
        let media = field == .mediaAll ? "\(negative) \(negative) \(left) \(top)" : "\(left) 0 40 \(top)"
        let crop =
            field == .cropAll
            ? "\(negative) \(negative) \(number) \(number)"
            : "\(value([.cropLeft], "0")) 0 \(value([.cropRight], "40")) 50"
        let page =
            "/MediaBox[\(media)]/CropBox[\(crop)]/Rotate \(value([.rotate], "0"))/UserUnit \(value([.userUnit], "1"))"
            + "/Contents 4 0 R/Resources<</XObject<</P 5 0 R/F 6 0 R>>>>"
        let across = value([.scale, .scaleBoth], "40")
        let down = value([.scaleBoth], "50")
        var content = "q \(across) 0 \(value([.shear], "0")) \(down) \(value([.shift], "0")) 0 cm /P Do Q "
        if field == .formMatrix { content += "/F Do " }
        if field == .textMode { content += "\(number) Tr (x) Tj " }
        if field == .rectangle { content += "\(number) 0 40 \(number) re W n q 40 0 0 50 0 0 cm /P Do Q" }
        let picture = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width \(value([.width], "4"))/Height \(value([.height], "5"))"
                + "/BitsPerComponent \(value([.bits], "8"))"
                + (field == .decode || field == .bits
                    ? "/Decode[0 \(value([.decode], "255"))]/ColorSpace[/Indexed/DeviceGray 1 <00FF>]"
                    : "/ColorSpace/DeviceGray"),
            String(repeating: "s", count: 20))
        let form = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Matrix[\(value([.formMatrix], "1")) 0 0 1 \(value([.formMatrix], "0")) 0]"
                + "/Resources<</XObject<</P 5 0 R>>>>", "/P Do")
        let labels = "/PageLabels<</Nums[0<</S/D/St \(value([.labelStart], "1"))>>]>>"
        return SyntheticPDF.bytes([
            "<</Type/Catalog/Pages 2 0 R\(labels)>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R\(page)>>", SyntheticPDF.stream("", content), picture, form,
        ])
    }

    @Test(arguments: numbers, [nil, 300.0]) func isAPageOrAnError(_ number: String, _ resolution: Double?) async throws
    {
        let scratch = try ScratchFolder()
        var judged = 0
        for field in Field.allCases {
            let path = try scratch.write("\(field.rawValue).pdf", ExtremeNumberTests.pdf(field, number))
            do {
                let book = try await PDFBook(
                    Input(path: path), box: .crop, resolution: resolution, seconds: Patience.secondsOfDrawing,
                    limits: Limits(pixels: 40_000)
                ).opened()
                for page in book.sequence.pages {
                    let picture = try await page.examine()
                    judged += 1
                    for representation in picture.representations { try? await read(representation) }
                }
            } catch let error as AdapterError {
                #expect(!error.message.isEmpty)
            }
        }
        // Most are odd pages, not broken files.
        #expect(judged > Field.allCases.count / 2)
    }

    private func read(_ representation: Picture.Representation) async throws {
        switch representation {
        case .encoded(let picture): _ = try await picture.read()
        case .sampled(let picture): _ = try await picture.read()
        case .drawn(let picture):
            let image = try await picture.draw()
            #expect(image.raster.size == picture.size)
            _ = try await picture.drawAt?(picture.resolution / 2)
        case .joined: break
        }
    }
}
