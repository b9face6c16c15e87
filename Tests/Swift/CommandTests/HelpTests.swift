internal import AdapterKit
internal import ArgumentParser
import Glibc
internal import OrderedJSON
internal import Scratch
import Testing

@testable internal import jisui

/// The help by topic, and the documents that are made of the same data.
@Suite struct HelpTests {
    private static let settings = HelpTopic.all.flatMap(\.settings)

    /// The long names of the options of a conversion, as argument-parser knows them.
    private static func parsedOptions() throws -> Set<String> {
        let root = try #require(JSON(parsing: Array(Jisui._dumpHelp().utf8))?["command"])
        let convert = try #require(root["subcommands"]?.elements?.first { $0["commandName"]?.asString == "convert" })
        let names = (convert["arguments"]?.elements ?? []).flatMap { argument in
            (argument["names"]?.elements ?? []).compactMap { name in
                name["kind"]?.asString == "long" ? name["name"]?.asString : nil
            }
        }
        return Set(names).subtracting(["help", "version"])
    }

    @Test func everyOptionIsInExactlyOneTopic() throws {
        let names = Self.settings.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names) == (try Self.parsedOptions()))
        #expect(HelpTopic.all.allSatisfy { !$0.settings.isEmpty && !$0.title.isEmpty })
    }

    /// A phrase that begins with an imperative verb fits a line.
    @Test func briefTextsHaveOneForm() {
        let verbs: Set = [
            "Add", "Apply", "Brighten", "Choose", "Convert", "Crop", "Dither", "Encode", "Extract", "Fail", "Fit",
            "Flatten",
            "Follow", "Infer", "Insert", "Keep", "Leave", "Limit", "Make", "Move", "Name", "Omit", "Order", "Overwrite",
            "Place",
            "Print", "Process", "Read", "Refuse", "Skip", "Remove", "Rotate", "Scale", "Set", "Slice", "Split",
            "Straighten",
            "Treat", "Write",
        ]
        for setting in Self.settings {
            #expect(setting.help.count <= 60, "--\(setting.name)")
            #expect(!setting.help.hasSuffix(".") && !(setting.details ?? "").hasSuffix("."), "--\(setting.name)")
            let verb = setting.help.prefix { $0 != " " }
            #expect(verbs.contains(String(verb)), "--\(setting.name) begins with '\(verb)'")
        }
    }

    @Test func helpFitsATerminal() {
        let short = HelpPage.short.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(short.count <= 40)
        // An option that the list names and nothing defines would be missing silently.
        #expect(short.count { $0.dropFirst(6).hasPrefix("--") } == 17)
        let all = short + HelpPage.all.split(separator: "\n") + HelpPage.topics.split(separator: "\n")
        for line in all { #expect(line.count <= 80, "\(line)") }
    }

    @Test func helpNamesEveryCommand() throws {
        let commands = try #require(HelpPage.short.split(separator: "\n").first { $0.hasPrefix("Commands:") })
        let names = Set(commands.split(separator: " ").map(String.init))
        #expect(names.isSuperset(of: Jisui.subcommandNames + ["help"]))
    }

    @Test func aTopicShowsItsOptionsAndNoOthers() throws {
        let page = try #require(HelpCommand.answer(["help", "trim"]))
        #expect(!page.isError)
        let shown = Set(page.text.matches(of: /(?m)^ {2}.{4}--([a-z-]+)/).map { String($0.1) })
        #expect(shown == Set(Self.settings.map(\.name).filter { $0.hasPrefix("trim") }))
        #expect(HelpCommand.answer(["help", "--trim-margin"])?.text == page.text)
    }

    @Test func anUnknownTopicListsTheTopics() throws {
        let answer = try #require(HelpCommand.answer(["help", "cooking"]))
        #expect(answer.isError && answer.text.contains("spreads"))
        #expect(HelpCommand.answer(["help", "info"]) == nil)
        #expect(HelpCommand.answer(["info", "--help"]) == nil)
        #expect(HelpCommand.answer(["book.pdf", "-o", "a.cbz"]) == nil)
        #expect(HelpCommand.answer(["book.pdf", "--", "--help"]) == nil)
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
