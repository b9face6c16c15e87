internal import AdapterKit
import Glibc
internal import OrderedJSON
internal import Scratch
import Testing

@testable internal import jisui

/// The help by topic, and the documents that are made of the same data.
@Suite(.withoutUserFiles) struct HelpTests {
    private static let settings = HelpTopic.all.flatMap(\.settings)

    @Test func everyOptionIsInExactlyOneTopic() {
        let names = Self.settings.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names + ["help", "version"]) == Set(Convert.entry.options.map(\.name)))
        #expect(HelpTopic.all.allSatisfy { !$0.settings.isEmpty && !$0.title.isEmpty })
    }

    /// An option of one name twice, or one letter for two, would be taken for the other.
    @Test(arguments: CommandEntry.all.flatMap(\.leaves).map(\.name))
    func namesOfOptionsAreUnique(_ name: String) {
        let options = CommandEntry.called(by: name.split(separator: " ").map(String.init)).entry.options
        let spellings = options.map(\.name) + options.compactMap { $0.letter.map(String.init) }
        #expect(Set(spellings).count == spellings.count)
        #expect(Set(options.map(\.name)).isSuperset(of: ["help", "version"]))
    }

    /// A phrase that begins with an imperative verb fits a line.
    @Test func briefTextsHaveOneForm() {
        let verbs: Set = [
            "Add", "Apply", "Brighten", "Center", "Check", "Choose", "Clean", "Compare", "Convert", "Cut", "Crop",
            "Decode",
            "Dither", "Do", "Encode", "Extract", "Fail", "Find", "Fit", "Flatten", "Follow", "Imitate", "Infer",
            "Insert", "Keep", "Leave", "Limit", "Make", "Move", "Name", "Omit", "Order", "Overwrite", "Place", "Print",
            "Process", "Read", "Refuse", "Remove", "Replace", "Rotate", "Scale", "Set", "Sharpen", "Show", "Skip",
            "Slice", "Split", "Straighten", "Take", "Treat", "Turn", "Write",
        ]
        for setting in Self.settings + CommandEntry.all.flatMap(\.leaves).flatMap(\.options) {
            #expect(setting.help.count <= 60, "--\(setting.name)")
            #expect(!setting.help.hasSuffix(".") && !(setting.details ?? "").hasSuffix("."), "--\(setting.name)")
            let verb = setting.help.prefix { $0 != " " }
            #expect(verbs.contains(String(verb)), "--\(setting.name) begins with '\(verb)'")
        }
    }

    @Test func helpFitsATerminal() {
        let short = HelpPage.short.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(short.count <= 48)
        // An option that the list names and nothing defines would be missing silently.
        #expect(short.count { $0.dropFirst(6).hasPrefix("--") } == 17)
        let commands = (CommandEntry.all + CommandEntry.all.flatMap(\.leaves)).map(HelpPage.text)
        let texts = [HelpPage.all, HelpPage.topics] + commands
        let all = short + texts.flatMap { $0.split(separator: "\n") }
        for line in all { #expect(line.count <= 80, "\(line)") }
    }

    @Test func helpNamesEveryCommand() throws {
        let lines = HelpPage.short.split(separator: "\n")
        let commands = lines.drop { !$0.hasPrefix("Commands:") }.prefix { !$0.hasPrefix("Help:") }
        let names = Set(commands.flatMap { $0.split(separator: " ") }.map(String.init))
        #expect(names.isSuperset(of: CommandEntry.all.map(\.name)))
    }

    @Test func aTopicShowsItsOptionsAndNoOthers() throws {
        let page = try HelpCommand(["trim"]).text
        let shown = Set(page.matches(of: /(?m)^ {2}.{4}--([a-z-]+)/).map { String($0.1) })
        #expect(shown == Set(Self.settings.map(\.name).filter { $0.hasPrefix("trim") }))
        #expect(try HelpCommand(["--trim-margin"]).text == page)
    }

    @Test func anUnknownTopicListsTheTopics() {
        let error = #expect(throws: UsageError.self) { try HelpCommand(["cooking"]) }
        #expect(error?.lines?.contains("spreads") == true)
    }

    @Test(arguments: [["info"], ["plugin"], ["plugin", "add"], ["completions"]])
    func helpShowsACommand(_ words: [String]) throws {
        let entry = CommandEntry.called(by: words).entry
        let text = try HelpCommand(words).text
        #expect(try (CommandLineParser.command(words + ["--help"]) as? HelpCommand)?.text == text)
        for name in entry.options.map({ "--\($0.name)" }) + entry.operands.map(\.usage) + entry.subcommands.map(\.name)
        {
            #expect(text.contains("  \(name)") || text.contains(", \(name)"), "\(name)")
        }
    }

    /// The hints name the plug-ins as their own descriptors do.
    @Test func hintsKnowTheShippedPlugins() throws {
        for plugin in ShippedPlugin.all {
            let folder = try #require(["djvu": "DjVuSource", "unar": "UnarSource", "ocr": "OCRTransform"][plugin.id])
            let path = "\(BuiltJisui.repository)/Plugins/\(folder)/jisui-\(plugin.name).json"
            let manifest = try #require(JSON(parsing: try Files.read(path)))
            #expect(manifest["id"]?.asString == plugin.id)
            #expect((manifest["extensions"]?.elements ?? []).compactMap(\.asString) == plugin.extensions)
            let settings = (manifest["settings"]?.elements ?? []).compactMap { $0["name"]?.asString }
            #expect(plugin.options.isEmpty || plugin.options == settings)
        }
    }

    /// `RECORD=1` writes the file.
    @Test func theReferenceOfOptionsIsUpToDate() throws {
        let path = "\(BuiltJisui.repository)/docs/reference/options.md"
        let text = Manual.markdown + "\n"
        if getenv("RECORD") != nil { try Files.write(Array(text.utf8), to: path) }
        #expect(String(decoding: try Files.read(path), as: UTF8.self) == text)
    }
}
