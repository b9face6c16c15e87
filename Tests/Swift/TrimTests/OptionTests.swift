import AdapterKit
import AdapterTestKit
import PageModel
import Testing

@testable import Trim

@Suite struct OptionTests {
    @Test(arguments: ["auto", "page", "book", "sides", "uniform"])
    func everyModeKeepsTheKitsPromises(_ mode: String) async throws {
        let trim = Trim()
        let settings = try Settings(trim.descriptor.settings, given: ["trim": mode])
        #expect(await checkTransform(trim, settings: settings, mayRequestPreviews: true) == [])
    }

    /// Nothing is looked at when nothing is asked for.
    @Test func withoutTheOptionNothingHappens() async {
        #expect(await checkTransform(Trim()) == [])
    }

    @Test(arguments: [
        ("2%", Margin.percent(2)), ("0.5%", .percent(0.5)), ("20px", .pixels(20)), ("3mm", .millimetres(3)),
        ("0px", .pixels(0)), ("20", .pixels(20)), ("0", .pixels(0)),
    ])
    func marginsAreRead(_ text: String, _ margin: Margin) {
        #expect(Margin(text) == margin)
    }

    @Test(arguments: ["", "1.5", "-1", "100001", "-1px", "1.5px", "101%", "nanmm", "px", "3 cm", "0x10px", "1e1px"])
    func invalidMarginsAreRejected(
        _ text: String
    ) {
        #expect(Margin(text) == nil)
    }

    @Test func trimOptionsNeedTrim() {
        for setting in TrimOptions.settings where setting.name.hasPrefix("trim-") { #expect(setting.needs == "trim") }
    }

    @Test func theMarginIsLeftAround() async throws {
        var page = SyntheticPage.paper()
        page.text()
        func kept(_ margin: String?, _ resolution: Resolution? = nil) async throws -> PixelRect? {
            let given = ["trim": "page"].merging(margin.map { ["trim-margin": $0] } ?? [:]) { $1 }
            return try await SyntheticBook([page], resolution: resolution).trimmed(given)[0].kept
        }
        #expect(try await kept("0px") == PixelRect(x: 80, y: 100, width: 460, height: 620))
        #expect(try await kept(nil) == PixelRect(x: 75, y: 95, width: 470, height: 630))
        #expect(try await kept("10px") == PixelRect(x: 70, y: 90, width: 480, height: 640))
        #expect(
            try await kept("5.08mm", Resolution(horizontal: 50, vertical: 100))
                == PixelRect(x: 70, y: 80, width: 480, height: 660))
        #expect(try await kept("10") == PixelRect(x: 70, y: 90, width: 480, height: 640))
        #expect(try await kept("0") == SyntheticPage.textBox)
        #expect(try await kept("100%") == nil)
    }

    /// Boxes are widened to the shape, as far as the page goes, and never cut.
    @Test func theShapeIsEvenedByWidening() async throws {
        var page = SyntheticPage.paper()
        page.text()
        func kept(_ aspect: String) async throws -> PixelRect? {
            try await SyntheticBook([page]).trimmed(["trim": "page", "trim-margin": "0px", "trim-aspect": aspect])[0]
                .kept
        }
        #expect(try await kept("460:620") == PixelRect(x: 80, y: 100, width: 460, height: 620))
        #expect(try await kept("5:6.2") == PixelRect(x: 60, y: 100, width: 500, height: 620))
        #expect(try await kept("46:80") == PixelRect(x: 80, y: 10, width: 460, height: 800))
        #expect(try await kept("46:86") == PixelRect(x: 80, y: 0, width: 460, height: 860))
        #expect(try await kept("10:1") == PixelRect(x: 0, y: 100, width: 620, height: 620))
    }

    /// The shape of the screen that pages are scaled for.
    @Test func theShapeMayBeTheDevices() async throws {
        var page = SyntheticPage.paper()
        page.text()
        let book = SyntheticBook([page])
        func given(_ fit: String?) -> [String: String] {
            var given = ["trim": "page", "trim-margin": "0px", "trim-aspect": "device"]
            given["fit"] = fit
            return given
        }
        let trimmed = try await book.trimmed(given("1000x1240"))
        #expect(trimmed[0].kept == PixelRect(x: 60, y: 100, width: 500, height: 620))
        for fit in [nil, "1000x", "x1000"] {
            let error = await #expect(throws: AdapterError.self) { try await book.trimmed(given(fit)) }
            #expect(error?.code == .usage && error?.message.english.contains("with a width and a height") == true)
        }
        let narrow = await #expect(throws: AdapterError.self) { try await book.trimmed(given("10x3000")) }
        #expect(narrow?.code == .usage && narrow?.message.english.hasSuffix("not '10:3000'") == true)
    }

    /// A recipe is checked without a book.
    @Test(arguments: [("trim-margin", "2cm"), ("trim-aspect", "wide"), ("trim-confidence", "2")])
    func valuesAreCheckedBeforeTheRun(_ name: String, _ value: String) {
        let setting = TrimOptions.settings.first { $0.name == name }
        #expect(setting?.objection(to: value)?.english.hasSuffix("not '\(value)'") == true)
        #expect(setting?.objection(to: name == "trim-margin" ? "3mm" : name == "trim-aspect" ? "device" : "0.3") == nil)
    }

    @Test(arguments: ["3", "3:", "0:4", "-3:4", "a:b", "1:2:3", "1:1000"])
    func invalidAspectRatiosAreRejected(_ text: String) async {
        let error = await #expect(throws: AdapterError.self) {
            try await SyntheticBook([.paper()]).trimmed(["trim": "page", "trim-aspect": text])
        }
        #expect(error?.code == .usage)
    }

    /// A file may state any resolution. In every mode, a margin larger than the page keeps the whole page.
    @Test(arguments: ["page", "book", "uniform"], [1e12, 1e19, 1e300, .infinity])
    func absurdResolutionsKeepPagesWhole(_ mode: String, _ resolution: Double) async throws {
        let pages = (0..<5).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text()
            return page
        }
        let book = SyntheticBook(pages, resolution: Resolution(horizontal: resolution, vertical: resolution))
        let trimmed = try await book.trimmed(["trim": mode, "trim-margin": "3mm"])
        #expect(trimmed.allSatisfy { $0.kept == nil })
    }

    @Test func millimetresNeedAResolution() async {
        let error = await #expect(throws: AdapterError.self) {
            try await SyntheticBook([.paper()]).trimmed(["trim": "page", "trim-margin": "3mm"])
        }
        #expect(error?.code == .usage && error?.page == "page 1")
    }
}
