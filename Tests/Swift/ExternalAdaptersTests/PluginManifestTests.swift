internal import AdapterKit
internal import PageModel
import Testing

@testable import ExternalAdapters

@Suite struct PluginManifestTests {
    private static let good = """
        {"jisui": [1, 2], "role": "source", "id": "djvu", "summary": "DjVu documents", "extensions": ["djvu", "djv"],
         "magic": [{"at": 0, "text": "AT&TFORM"}, [{"at": 4, "hex": "464f524d"}, {"within": 40, "text": "DJVU"}]],
         "settings": [{"name": "djvu", "kind": "flag", "help": "A flag"},
                      {"name": "djvu-layer", "kind": "choice", "choices": ["all", "mask"], "default": "all",
                       "valueName": "name", "help": "What of a page is shown"},
                      {"name": "djvu-n", "kind": "integer", "minimum": 1, "maximum": 9, "help": "A number"}],
         "processes": 4, "needs": ["siblings"], "later": {"a": 1}}
        """

    private static func manifest(_ text: String) throws -> PluginManifest {
        try PluginManifest(parsing: Array(text.utf8))
    }

    @Test func itIsRead() throws {
        let manifest = try PluginManifestTests.manifest(PluginManifestTests.good)
        #expect(
            manifest.name == "source-djvu" && manifest.workerCount == 4 && manifest.needs == [.siblings]
                && manifest.form == .stream)
        #expect(manifest.descriptor.extensions == ["djvu", "djv"])
        #expect(manifest.descriptor.settings.map(\.name) == ["djvu", "djvu-layer", "djvu-n"])
        #expect(
            manifest.descriptor.settings[1].kind == .choice(["all", "mask"])
                && manifest.descriptor.settings[1].defaultValue == "all")
        #expect(manifest.descriptor.settings[2].objection(to: "10") != nil)
    }

    /// A secret with a default would not be one.
    @Test func onlyATextIsSecret() throws {
        func setting(_ members: String) throws -> Setting? {
            try PluginManifestTests.manifest(
                """
                {"jisui": [1], "role": "sink", "id": "x", "summary": "X",
                 "settings": [{"name": "x-key", "help": "A key", \(members)}]}
                """
            ).descriptor.settings.first
        }
        #expect(try setting(#""kind": "text", "secret": true"#)?.isSecret == true)
        #expect(try setting(#""kind": "text", "secret": false"#)?.isSecret == false)
        #expect(try setting(#""kind": "text""#)?.isSecret == false)
    }

    @Test func transformDeclaresThatItChangesImages() throws {
        func changesImages(_ images: String) throws -> Bool {
            try PluginManifestTests.manifest(
                """
                {"jisui": [1], "role": "transform", "id": "x", "summary": "X"\(images),
                 "settings": [{"name": "x", "kind": "flag", "help": "A flag"}]}
                """
            ).changesImages
        }
        #expect(try changesImages(#", "images": true"#))
        #expect(try !changesImages(#", "images": false"#) && !changesImages(""))
        #expect(throws: AdapterError.self) { try changesImages(#", "images": "png""#) }
        // jisui would not run it for outputs without text, although it changes pixels.
        #expect(throws: AdapterError.self) { try changesImages(#", "images": true, "features": ["text"]"#) }
    }

    @Test(arguments: ["source", "sink"]) func onlyATransformChangesImages(_ role: String) {
        let text = #"{"jisui": [1], "role": "\#(role)", "id": "x", "summary": "X", "images": true}"#
        #expect(throws: AdapterError.self) { try PluginManifestTests.manifest(text) }
    }

    @Test(arguments: [
        ("AT&TFORM....DJVU", true), ("AT&TFORM", true), ("....FORM....DJVU", true), ("....FORM....DJVM", false),
        ("....FROM....DJVU", false), (".AT&TFORM", false), ("", false),
    ]) func itsMagicHolds(_ text: String, _ holds: Bool) throws {
        let manifest = try PluginManifestTests.manifest(PluginManifestTests.good)
        #expect(manifest.magic.contains { $0.allSatisfy { $0.holds(Array(text.utf8)) } } == holds)
    }

    /// More tests than the signature has make a format of its own.
    @Test(arguments: [
        (#"{"at": 0, "text": "PK"}"#, ["zip data"]), (#"{"at": 0, "hex": "ffd8ff"}"#, ["JPEG data"]),
        (#"[{"at": 0, "text": "PK"}, {"at": 30, "text": "mimetype"}]"#, []),
        (#"{"within": 8, "text": "PDF"}, {"at": 0, "text": "GIF8"}"#, ["PDF data", "GIF data"]),
        (#"{"at": 0, "text": "AT&TFORM"}"#, []),
    ]) func signaturesOfJisuisOwnFormatsAreFound(_ magic: String, _ names: [String]) throws {
        let text = #"{"jisui": [1], "role": "source", "id": "x", "summary": "X", "magic": [\#(magic)]}"#
        #expect(try PluginManifestTests.manifest(text).signaturesOfOwnFormats == names)
    }

    /// Each is the good card with one change, and a word of its error message.
    @Test(arguments: [
        (#""jisui": [1, 2]"#, #""jisui": [2, 3]"#, "does not support"),
        (#""jisui": [1, 2]"#, #""jisui": 1"#, "lacks 'jisui'"),
        (#""source""#, #""reader""#, "role"),
        (#""id": "djvu""#, #""id": "DjVu""#, "id"),
        (#""id": "djvu""#, #""id": "../djvu""#, "id"),
        ("DjVu documents", #"DjVu\u001b[31m"#, "summary"),
        ("DjVu documents", #"one\ntwo"#, "summary"),
        ("DjVu documents", #"\u202egnirts"#, "summary"),
        (#"["djvu", "djv"]"#, #"[".djvu"]"#, "extensions"),
        (#"["djvu", "djv"]"#, #"["DJVU"]"#, "extensions"),
        (#""djvu-layer""#, #""force""#, "'force'"),
        (#""djvu-layer""#, #""djvu-n""#, "two options"),
        (#""djvu-layer""#, #""djvu-Layer""#, "djvu-Layer"),
        (#""default": "all""#, #""default": "none""#, "default"),
        (#""kind": "choice""#, #""kind": "color""#, "kind"),
        (#""kind": "choice""#, #""secret": true, "kind": "choice""#, "'secret'"),
        (#""kind": "choice""#, #""secret": "yes", "kind": "choice""#, "'secret'"),
        (#""kind": "choice""#, #""secret": true, "kind": "text""#, "'secret'"),
        (#""choices": ["all", "mask"]"#, #""choices": []"#, "choices"),
        (#""minimum": 1"#, #""minimum": 10"#, "minimum"),
        (#""What of a page is shown""#, #""What\u0007""#, "help"),
        (#""siblings""#, #""everything""#, "everything"),
        (#""at": 0"#, #""at": 5000"#, "magic"),
        (#""464f524d""#, #""464f524""#, "hex"),
        (#"{"within": 40, "text": "DJVU"}"#, "", "JSON"),
    ]) func faultsAreReported(_ old: String, _ new: String, _ what: String) throws {
        let text = PluginManifestTests.good.replacing(old, with: new)
        try #require(text != PluginManifestTests.good)
        let error = try #require(throws: AdapterError.self) { try PluginManifestTests.manifest(text) }
        #expect(error.message.english.contains(what), "\(error.message)")
    }

    @Test(arguments: [
        ("", Stage.arrange), (#", "stage": "split""#, .split), (#", "stage": "join""#, .join),
    ])
    func aTransformHasAStage(_ member: String, _ stage: Stage) throws {
        #expect(try PluginManifestTests.manifest(PluginManifestTests.transform(member)).stage == stage)
    }

    /// Before the other stages, pages are not upright; after them, they are merged.
    @Test(arguments: ["\"turn\"", "\"fit\"", "\"later\"", "3"]) func otherStagesAreRejected(_ stage: String) throws {
        let text = PluginManifestTests.transform(", \"stage\": \(stage)")
        let error = try #require(throws: AdapterError.self) { try PluginManifestTests.manifest(text) }
        #expect(
            error.message.english
                == "the manifest has an invalid 'stage'; valid: arrange, clip, split, flatten, trim, clean, join")
    }

    private static func transform(_ member: String) -> String {
        #"{"jisui": [1], "role": "transform", "id": "x", "summary": "s", "#
            + #""settings": [{"name": "x", "kind": "flag", "help": "h"}]\#(member)}"#
    }

    /// A plug-in that removes or reorders pages leaves no page that faces another one than before.
    @Test func pagesFaceThePagesThatTheyFaced() {
        let pages = (1...4).map { id in
            var page = Page(id: id, name: "\(id)") { Picture(size: nil, representations: []) }
            page.facesNextPage = id == 1 || id == 3
            return page
        }
        func facing(_ ids: [Int]) -> [Int] {
            var kept = ids.map { pages[$0 - 1] }
            kept.keepFacing(as: pages)
            return kept.filter(\.facesNextPage).map(\.id)
        }
        #expect(facing([1, 2, 3, 4]) == [1, 3] && facing([3, 4, 1]) == [3] && facing([1, 3, 4]) == [3])
    }

    @Test func aTransformIsAskedForByItsID() {
        let text = #"{"jisui": [1], "role": "transform", "id": "ocr", "summary": "s", "settings": []}"#
        #expect(throws: AdapterError.self) { try PluginManifestTests.manifest(text) }
    }
}
