internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel

/// Answers to arguments that people try before reading the help.
enum CommandSuggestions {
    /// Popular names of options, with the option and any value that it needs.
    private static let synonyms: [String: String] = [
        "margin": "trim-margin 2%", "margins": "trim", "crop-margins": "trim", "autocrop": "trim", "auto-crop": "trim",
        "spread": "spreads merge", "merge": "spreads merge", "split": "spreads split", "join": "combine",
        "two-page": "spreads merge", "grayscale": "gray", "greyscale": "gray", "grey": "gray", "bw": "shades 2",
        "lang": "language en", "ocr-lang": "ocr-language jpn", "manga": "direction rtl", "rtl": "direction rtl",
        "ltr": "direction ltr",
        "right-to-left": "direction rtl", "output-dir": "output DIR/", "outdir": "output DIR/", "out": "output PATH",
        "output-format": "to FORMAT", "format": "to FORMAT",
        "resize": "fit 1072x1448", "scale": "fit 1072x1448", "width": "fit 1072x", "height": "fit x1448",
        "profile": "device kobo-libra-2", "kindle": "device kindle-paperwhite-6", "kobo": "device kobo-libra-2",
        "config": "recipe FILE", "turn": "rotate 90", "overwrite": "force", "yes": "force", "page": "pages 1-10",
        "range": "pages 1-10",
        "dewarp": "flatten", "straighten": "deskew", "resolution": "dpi 300", "threads": "jobs 2",
        "json": "report report.json",
        "password":
            "password-file FILE", "silent": "quiet", "check": "verify",
        "verify": "check", "skip": "skip-existing", "resume": "journal night.jsonl", "continue": "journal night.jsonl",
        "retry": "retry-failed", "recurse": "recursive", "files-from": "from-list list.txt",
        "from-file": "from-list list.txt", "input-list": "from-list list.txt", "glob": "include '*.pdf'",
        "array": "shard auto", "no-clobber": "skip-existing",
        "template": "name '{series} {number}.{ext}'", "rename": "name '{series} {number}.{ext}'",
        "remove-stamp": stampless, "remove-stamps": stampless, "remove-watermark": stampless,
        "remove-watermarks": stampless, "no-watermark": stampless,
    ]

    /// The options that remove stamps and watermarks from scans.
    private static let stampless = isOption("no-stamps") ? "no-stamps" : "pages-as scan --uncover"

    /// Commands that people try instead of `jisui info --check`.
    private static let checks: Set = ["check", "validate", "test"]

    private static func isOption(_ name: String) -> Bool {
        Setting.ofConversion.contains { $0.name == name }
    }

    /// Returns the answer to a call whose first word is a misspelled subcommand, or an option without its dashes.
    static func answer(_ arguments: [String]) -> Message? {
        guard let word = arguments.first, !word.isEmpty, word.allSatisfy({ $0.isLetter || $0 == "-" }),
            !word.hasPrefix("-"), FileStatus(of: word) == nil, !CommandEntry.all.contains(where: { $0.name == word })
        else { return nil }
        let input = arguments.dropFirst().first { !$0.hasPrefix("-") } ?? "book.pdf"
        if checks.contains(word) { return "'\(word)' is not a command; use jisui info \(shown(input)) --check" }
        let option = known(word) ?? synonyms[word]
        if let option {
            return "'\(word)' is not a command; use the option: jisui \(shown(input)) -o \(shown(output(for: input))) "
                + "--\(option)"
        }
        let commands = CommandEntry.all.map(\.name)
        guard word.allSatisfy(\.isLetter),
            let meant = commands.first(where: { Spelling.areAlike(word.lowercased(), $0) })
        else { return nil }
        return "'\(word)' is neither a file nor a command; did you mean 'jisui \(meant)'?"
    }

    /// Returns the likely option for one that does not exist; nil if none is known.
    static func meant(byUnknown option: String) -> Message? {
        let name = String(option.drop { $0 == "-" }.prefix { $0 != "=" })
        let synonym = synonyms[name]
        let meant = CommandSuggestions.option(for: name) ?? name
        if !isOption(meant), let plugin = ShippedPlugin.all.first(where: { $0.options.contains(meant) }) {
            return plugin.hint
        }
        return synonym.map { "use --\($0)" }
    }

    /// Returns the likely value for one that an option does not take; nil if none is known.
    static func meant(byValue value: String, of setting: Setting) -> Message? {
        guard case .choice(let words) = setting.kind else { return nil }
        let plain = value.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let word = encodings[plain] ?? words.first(where: { $0.filter { $0 != "-" } == plain }),
            words.contains(word)
        else { return nil }
        return "use --\(setting.name) \(word)"
    }

    /// Other names of encodings, without their punctuation.
    private static let encodings = [
        "shiftjis": "cp932", "sjis": "cp932", "windows31j": "cp932", "ms932": "cp932", "gb2312": "gbk",
        "cp936": "gbk", "cp950": "big5", "uhc": "cp949", "ibm437": "cp437", "ibm850": "cp850",
        "windows1251": "cp1251", "windows1252": "cp1252", "latin1": "cp1252", "iso88591": "cp1252",
    ]

    /// Returns the option with a popular name; nil if it has none.
    static func option(for name: String) -> String? { synonyms[name].map { String($0.prefix { $0 != " " }) } }

    /// Returns the error for inputs without an output.
    static func withoutOutput(_ inputs: [String]) -> UsageError {
        guard let first = inputs.first else { return UsageError("no output is given; use -o PATH", hint: nil) }
        let input = shown(first)
        if inputs.count > 1, let last = inputs.last, FileStatus(of: last) == nil,
            FileName.endsInSlash(last) || Registry.jisui.sink(forExtension: FileName.extension(of: last)) != nil
        {
            return UsageError("no output is given; use -o \(shown(last)) to write there", hint: nil)
        }
        let commands: [(String, Message)] = [
            ("jisui \(input) -o \(shown(output(for: first)))", "Convert the book"),
            ("jisui \(input) -o \(shown(stem(of: first) + "/"))", "Extract the images into a folder"),
            ("jisui info \(input)", "Show what each page is"),
        ]
        let width = commands.map(\.0.count).max() ?? 0
        let lines = commands.map { command, meaning in
            "  \(command)\(String(repeating: " ", count: width - command.count))   \(meaning.localized)"
        }
        return UsageError("no output is given; for example:", hint: nil, lines: lines.joined(separator: "\n"))
    }

    /// Returns a name as it is typed into a shell, without characters that a terminal could misinterpret.
    private static func shown(_ name: String) -> String {
        ShellWord.quoted(Terminal.safe(name))
    }

    private static func known(_ word: String) -> String? {
        guard let setting = Setting.ofConversion.first(where: { $0.name == word }) else { return nil }
        if case .choice(let words) = setting.kind, setting.impliedValue == nil { return "\(word) \(words[0])" }
        return setting.kind == .flag || setting.impliedValue != nil
            ? word : "\(word) \(setting.valueName.uppercased())"
    }

    private static func stem(of input: String) -> String { Registry.jisui.stem(of: Input(path: input, password: nil)) }

    /// Returns a name for the output of an input: a comic archive, or a PDF of one.
    private static func output(for input: String) -> String {
        stem(of: input) + (FileName.extension(of: input) == "cbz" ? ".pdf" : ".cbz")
    }
}
