import Scratch
import Testing

@testable internal import jisui

/// The language of messages and help.
@Suite struct LanguageTests {
    private static let missing = "missing.pdf"

    /// Runs jisui with variables of the environment that concern the language.
    private static func run(_ variables: [String: String], _ arguments: [String]) throws -> Program.Outcome {
        let scratch = try ScratchFolder()
        var environment = BuiltJisui.environment(temporary: scratch.path)
        environment["LC_ALL"] = nil
        environment.merge(variables) { $1 }
        return try RunningProgram([BuiltJisui.path] + arguments, in: scratch.path, environment: environment).wait()
    }

    @Test(arguments: [
        (["LC_ALL": "ja_JP.UTF-8"], true), (["LC_MESSAGES": "ja_JP.UTF-8"], true), (["LANG": "ja_JP.UTF-8"], true),
        (["LANG": "de_DE.UTF-8", "LANGUAGE": "de:ja"], true),
        (["LANG": "ja_JP.UTF-8", "LC_MESSAGES": "en_US.UTF-8"], false),
        (["LANG": "ja_JP.UTF-8", "LC_ALL": "C"], false), (["LANGUAGE": "ja", "LC_ALL": "C.UTF-8"], false),
        (["LANG": "ja_JP.UTF-8", "LANGUAGE": "en:ja"], false),
        (["LANG": "ja_JP.UTF-8", "LANGUAGE": "C:ja"], false), (["LANG": "ja_JP.UTF-8", "LANGUAGE": "de:C"], false),
        (["LANG": "xx"], false), ([:], false),
    ])
    func theLanguageIsThatOfTheLocale(variables: [String: String], isJapanese: Bool) throws {
        let outcome = try Self.run(variables, ["info", Self.missing])
        #expect(outcome.status == 1)
        let word = isJapanese ? "エラー" : "error"
        #expect(outcome.errorText.hasPrefix("jisui: \(word): \(Self.missing): "), "\(outcome.errorText)")
    }

    @Test func reportsStayInEnglish() throws {
        let outcome = try Self.run(["LC_ALL": "ja_JP.UTF-8"], [Self.missing, "-o", "x.cbz", "--report", "-"])
        #expect(outcome.outputText.contains("no such file or folder"), "\(outcome.outputText)")
    }

    /// The contact sheet is for people too, unlike a report.
    @Test func theContactSheetIsTranslated() throws {
        let scratch = try ScratchFolder()
        let book = "\(BuiltJisui.fixtures)/good/PDFSource/real-leviathan.pdf"
        let arguments = [book, "-o", scratch("x.cbz"), "-n", "-q", "--trim", "--trim-sheet", scratch("sheet.html")]
        #expect(try Self.run(["LC_ALL": "ja_JP.UTF-8"], arguments).status == 0)
        let html = String(decoding: try Files.read(scratch("sheet.html")), as: UTF8.self)
        let texts = html.replacing(/<script>.*<\/script>/.dotMatchesNewlines(), with: "")
            .replacing(/<style>.*<\/style>/.dotMatchesNewlines(), with: "").replacing(/<[^>]*>/, with: " ")
        // The file's name and its pages' names are not translated.
        let words = texts.matches(of: /[A-Za-z]{3,}/).map { String($0.0) }
        #expect(Set(words).isSubset(of: ["Leviathan", "page"]), "\(Set(words))")
        #expect(html.contains("<html lang=\"ja\">") && texts.contains("残す部分"))
    }

    /// Columns, not characters: most Japanese characters are two columns wide.
    @Test(arguments: [["--help"], ["help", "all"], ["help", "topics"]])
    func translatedHelpFitsATerminal(arguments: [String]) throws {
        let outcome = try Self.run(["LC_ALL": "ja_JP.UTF-8"], arguments)
        #expect(outcome.outputText.contains("ページ"))
        for line in outcome.outputText.split(separator: "\n") {
            #expect(Terminal.width(of: String(line)) <= 80, "\(line)")
        }
    }

    /// Names of pages, lists and the plug-ins' summaries are translated too. An option may stand before a word.
    @Test(arguments: [
        ["mixed.pdf", "-o", "out/", "-v"],
        ["mixed.pdf", "-o", "out.cbz", "-n", "--spreads", "merge", "--cover", "paired"],
        ["real-bobby-make-believe.pdf", "-o", "out.xyz"],
        ["annotation-link.pdf", "-o", "out.cbz"], ["text-invisible.pdf", "-o", "out.cbz"], ["info", "mixed.pdf"],
        ["plugin", "list"], ["formats"],
    ])
    func japaneseLinesHaveNoEnglishWords(arguments: [String]) throws {
        let paths = arguments.map {
            $0.hasSuffix(".pdf") ? "\(BuiltJisui.fixtures)/good/PDFSource/\($0)" : $0
        }
        let outcome = try Self.run(["LC_ALL": "ja_JP.UTF-8"], paths)
        let text = outcome.outputText + outcome.errorText
        #expect(text.contains("、") || text.contains("。"), "\(text)")
        let words = text.matches(of: /(?:^|[^-a-z<])[a-z]{2,} [a-z]{2,}/)
        #expect(words.isEmpty, "\(words.map { text[$0.range] })")
    }

    @Test func aCatalogHasOnlyFinishedTranslations() {
        let file = """
            # A comment.
            msgid ""
            msgstr "Language: ja\\n"

            #, python-brace-format
            msgid "{0} \\"a\\" "
            "b\\n"
            msgstr "「{0}」"
            "\\n"

            #, fuzzy
            msgid "guessed"
            msgstr "x"

            msgid "open"
            msgstr ""

            msgid "last"
            msgstr "終"
            """
        let catalog = MessageCatalog(Array(file.utf8))
        #expect(catalog["{0} \"a\" b\n"] == "「{0}」\n")
        #expect(catalog["last"] == "終")
        #expect(["", "guessed", "open"].allSatisfy { catalog[$0] == nil })
    }
}
