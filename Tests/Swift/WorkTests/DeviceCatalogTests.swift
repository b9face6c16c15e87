import Conversion
import Files
import PageModel
import Scratch
import Testing

@testable import Work

/// The devices that jisui knows, and those of users.
@Suite struct DeviceCatalogTests {
    private static let catalog = try? DeviceCatalog.all(UserFiles(folder: nil))

    private static func profile(_ name: String) throws -> DeviceProfile {
        try #require(catalog).profile(named: name)
    }

    private static func catalog(_ text: String) throws -> DeviceCatalog {
        var catalog = try #require(catalog)
        try catalog.add(Array(text.utf8), file: "mine.json")
        return catalog
    }

    /// A fact without a source could not be checked, and a device without a size would set nothing.
    @Test func everyFactHasASource() throws {
        let profiles = try #require(Self.catalog).profiles
        #expect(profiles.count > 130)
        #expect(Set(profiles.map(\.id)).count == profiles.count)
        for profile in profiles {
            #expect(profile.screen != nil && !profile.formats.isEmpty, "\(profile.id)")
            for (key, _) in profile.facts {
                let sources = profile.sources[key] ?? []
                #expect(!sources.isEmpty && sources.allSatisfy { $0.contains(" ") }, "\(profile.id): \(key)")
            }
        }
    }

    /// Otherwise a name would stand for several devices, or for none.
    @Test func everyNameStandsForOneDevice() throws {
        for profile in try #require(Self.catalog).profiles {
            for name in [profile.id, profile.name] + profile.aliases {
                #expect(try Self.profile(name).id == profile.id, "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("KOBO Libra-Color", "kobo-libra-colour"), ("libra colour", "kobo-libra-colour"),
        ("pocketbook_era", "pocketbook-era"), ("pw5", "kindle-paperwhite-5"), ("Kindle PW5", "kindle-paperwhite-5"),
        ("Paperwhite 2021", "kindle-paperwhite-5"), ("iPad Mini", "ipad-mini"), ("Boox Go 10.3", "boox-go-10.3"),
    ])
    func caseAndPunctuationDoNotMatter(_ typed: String, _ id: String) throws {
        #expect(try Self.profile(typed).id == id)
    }

    @Test(arguments: [
        ("kobo-libra", "did you mean kobo-libra-h2o, kobo-libra-2 or kobo-libra-colour?"),
        (
            "kindle-paperwhite",
            "did you mean kindle-paperwhite-6 (2024), kindle-paperwhite-5 (2021), kindle-paperwhite-4 (2018), "
                + "kindle-paperwhite-3 (2015), kindle-paperwhite-2 (2013), kindle-paperwhite-1 (2012) or "
                + "kindle-paperwhite-5-signature-edition?"
        ),
        ("kobo-sagge", "did you mean kobo-sage?"), ("gramophone", "run 'jisui devices' to list the devices"),
        ("", "run 'jisui devices' to list the devices"),
    ])
    func similarNamesAreSuggested(_ typed: String, _ hint: String) {
        let error = #expect(throws: AdapterError.self) { try Self.profile(typed) }
        #expect(error?.code == .usage && error?.hint?.english == hint)
    }

    @Test(arguments: [("paperwhite", "several devices are called 'paperwhite'"), ("sagge", "unknown device 'sagge'")])
    func aNameOfSeveralDevicesIsRejected(_ typed: String, _ message: String) {
        let error = #expect(throws: AdapterError.self) { try Self.profile(typed) }
        #expect(error?.message.english == message)
    }

    /// The hint fits on the screen, and newer devices come first.
    @Test func longListsOfDevicesAreCut() {
        let error = #expect(throws: AdapterError.self) { try Self.profile("kindle") }
        let hint = error?.hint?.english ?? ""
        #expect(hint.hasPrefix("did you mean kindle-scribe-3 (2025), "))
        #expect(hint.hasSuffix("? 'jisui devices' lists all") && hint.count < 300)
    }

    /// XTC has fewer levels than the screen.
    @Test func aFormatDecidesTheLevels() throws {
        let xteink = try Self.profile("xteink-x3")
        #expect(xteink.recipe(TestBooks.registry, format: "xtc") == Recipe(["fit": ["528x792"], "shades": ["2"]]))
        #expect(xteink.recipe(TestBooks.registry, format: "xtch") == Recipe(["fit": ["528x792"], "shades": ["4"]]))
    }

    @Test(arguments: ["1264x1680@3", "1264x", "1264x1680@", "0x100"])
    func otherScreensAreRejected(_ typed: String) {
        let error = #expect(throws: AdapterError.self) { try Self.profile(typed) }
        #expect(error?.message.english.hasPrefix("--device takes a screen like 1264x1680") == true)
    }

    /// Color stays; pages are treated for color filters; gray screens get gray pages; those that are known not to dither get dithered ones.
    @Test(arguments: [
        ("kobo-libra-colour", ["fit": "1264x1680", "color-filter": "true"]),
        ("kobo-libra-2", ["fit": "1264x1680", "gray": "true"]),
        ("kindle-paperwhite-5", ["fit": "1236x1648", "shades": "16"]),
        ("kindle-paperwhite-6", ["fit": "1272x1696", "gray": "true"]),
        ("xteink-x4", ["fit": "480x800", "shades": "4"]),
        // The panel has 15 levels, for which pages are not dithered.
        ("kindle-2", ["fit": "600x670", "gray": "true"]),
        // The usable pixels are fewer than those of the panel.
        ("pocketbook-inkpad-color-3", ["fit": "1395x1864", "color-filter": "true"]),
        ("1264x1680", ["fit": "1264x1680"]),
        ("600x800@2", ["fit": "600x800", "shades": "2"]), ("600x800@8", ["fit": "600x800", "shades": "8"]),
        ("iphone", ["fit": "1179x2556"]),
    ])
    func aDeviceSetsOptions(_ name: String, _ settings: [String: String]) throws {
        let recipe = try Self.profile(name).recipe(TestBooks.registry, format: "no such format")
        #expect(recipe == Recipe(settings.mapValues { [$0] }))
    }

    /// The registry of the tests has no sink for EPUB.
    @Test func theFirstFormatThatIsWrittenCounts() throws {
        let kobo = try Self.profile("kobo-libra-2")
        #expect(kobo.formats.map(\.id) == ["epub", "cbz", "pdf"])
        #expect(kobo.bestFormat(TestBooks.registry)?.id == "cbz")
        #expect(kobo.recipe(TestBooks.registry, format: nil).values["to"] == ["cbz"])
        #expect(kobo.recipe(TestBooks.registry, format: "epub").values["epub-for"] == ["kobo"])
        #expect(kobo.recipe(TestBooks.registry, format: "epub").values["to"] == nil)
        #expect(try Self.profile("kindle-1").bestFormat(TestBooks.registry) == nil)
        #expect(try Self.profile("kindle-paperwhite-6").formats.map(\.id) == ["azw3", "epub", "pdf"])
        #expect(try Self.profile("remarkable-2").formats.first?.maximumBytes == 95_000_000)
    }

    @Test func usersAddDevices() throws {
        let catalog = try Self.catalog(
            """
            {"sources": {"manual": "The manual, page 7"}, "devices": [
                {"names": [["My Reader", "Mine"]], "like": "kobo", "panel": "300x400", "source": "manual"},
                {"names": ["Kobo Sage"], "like": "kobo-libra-colour", "ppi": 200, "source": "Measured by me"}
            ]}
            """)
        let own = try catalog.profile(named: "mine")
        #expect(own.screen == PixelSize(width: 300, height: 400) && own.formats.map(\.id) == ["epub", "cbz", "pdf"])
        #expect(own.sources["panel"] == ["The manual, page 7"])
        // It replaces that of jisui.
        let sage = try catalog.profile(named: "Kobo Sage")
        #expect(sage.screen?.width == 1264 && sage.sources["ppi"] == ["Measured by me"])
        #expect(sage.sources["panel"]?.first?.contains("kcc") == true)
    }

    @Test(arguments: [
        (
            "{\n\"devices\": [{\"names\": [\"A\"],\n\"pannel\": \"3x4\"}]}", 3,
            "unknown key 'pannel'; did you mean 'panel'?"
        ),
        ("{\"device\":\n[]}", 1, "unknown key 'device'; did you mean 'devices'?"),
        (
            "{\"devices\": [{\"names\": [\"A\"]},\n{\"panel\": \"3x4\"}]}", 2,
            "a device has no 'names'; add a list: \"names\": [\"My Reader\"]"
        ),
        (
            "{\"devices\": [{\"names\": [\"A\"],\n\n\"ppi\": \"300\"}]}", 3,
            "'ppi' takes a whole number of pixels per inch"
        ),
        (
            "{\"devices\": [{\"names\": [\"A\"], \"formats\": [{\"format\": \"epub\", \"MB\": 3}]}]}", 1,
            "'formats' takes a list like [{\"format\": \"epub\", \"options\": {\"epub-for\": \"kobo\"}}]"
        ),
        (
            "{\"devices\": [{\"names\": [\"A\"], \"color\": \"green\"}]}", 1,
            "'color' takes one of none, kaleido, kaleido-1, kaleido-2, kaleido-3, triton, gallery-3, full"
        ),
        ("{\n\n\"devices\": }", 3, "not a file of devices: not JSON, or a name occurs twice"),
    ])
    func faultsHaveALine(_ text: String, _ line: Int, _ message: String) {
        let error = #expect(throws: AdapterError.self) { try Self.catalog(text) }
        #expect(error?.text.english == "mine.json:\(line): \(message)")
    }

    @Test func aFamilyMustExist() {
        let error = #expect(throws: AdapterError.self) {
            try Self.catalog(#"{"devices": [{"names": ["A"], "like": "cobo"}]}"#)
        }
        #expect(error?.message.english == "no family or device is called 'cobo'")
    }
}
