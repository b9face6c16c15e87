internal import Glibc
internal import Scratch
internal import Testing

@testable internal import jisui

/// The completions of Tab in the shells, installed as `make install` does.
@Suite struct CompletionTests {
    /// Typed lines, each followed by the text shown after Tab.
    private static let lines = [
        "jisui volu", "volume.pdf", "jisui inf", "info", "jisui --dry", "--dry-run", "jisui volume.pdf --dry",
        "--dry-run", "jisui volume.pdf --to st", "strip", "jisui volume.pdf -o shel", "shelf",
        "jisui convert volume.pdf --dry", "--dry-run", "jisui convert volu", "volume.pdf", "jisui info --js", "--json",
        "jisui info volu", "volume.pdf", "jisui plugin li", "list", "jisui volume.pdf --to=st", "strip",
        "jisui help stra", "straighten", "jisui help al", "all",
        // A name that is no UTF-8 comes from the shell as it is.
        "jisui info ra\n", "raw\\xe9.jpg: jpeg, 1 page",
    ]

    @Test(
        .needs("bash", "python3"), .needs(line: "test -e /usr/share/bash-completion/bash_completion", "bash-completion")
    )
    func bashCompletes() throws { try expectCompletions("bash", "bash-completion/completions/jisui") }

    @Test(.needs("zsh", "python3"))
    func zshCompletes() throws { try expectCompletions("zsh", "zsh/site-functions/_jisui") }

    @Test(.needs("fish", "python3"))
    func fishCompletes() throws { try expectCompletions("fish", "fish/vendor_completions.d/jisui.fish") }

    /// Lines whose last word is incomplete, and words that are offered for it; "files" if names of files are.
    @Test(arguments: [
        ([""], ["files", "convert", "info", "help"]), (["-"], ["--trim", "-o", "--help"]),
        (["--to", ""], ["cbz", "strip"]), (["--to=st"], ["cbz", "strip"]), (["a.pdf", "-o", ""], ["files"]),
        (["a.pdf", "--trim", ""], ["files", "auto", "page"]), (["--trim-file", ""], ["files"]),
        (["--device", ""], ["kobo-sage", "ipad-mini"]), (["a.pdf", "--preset="], ["comic", "archive"]),
        (["devices", ""], ["kobo-sage"]), (["preset", "show", ""], ["comic"]),
        (["a.pdf", "--title", ""], ["none"]), (["--", "-"], ["files"]), (["info", ""], ["files"]),
        (["info", "--"], ["--json", "--max-memory"]), (["catalog", ""], ["folders"]),
        (["help", ""], ["trim", "info", "all"]),
        (["plugin", ""], ["list", "remove"]), (["plugin", "check", "x", ""], ["files"]),
        (["completions", ""], ["fish"]),
        (["convert", ""], ["files"]),
    ])
    func wordsAreCompleted(_ typed: [String], _ wanted: [String]) {
        let completion = Completion(of: typed)
        #expect(Set(completion.words.map(\.word) + [completion.names]).isSuperset(of: wanted))
        if ["none", "files", "folders"].contains(wanted.first) { #expect(completion.names == wanted[0]) }
        #expect(
            wanted.count > 1 || ["trim", "fish", "kobo-sage", "comic"].contains(wanted[0]) || completion.words.isEmpty)
    }

    /// The words come from plug-ins, too. The shell must not expand them.
    @Test(.needs("bash")) func wordsAreNoCommands() throws {
        let scratch = try ScratchFolder()
        try scratch.write("_jisui", try BuiltJisui.run(["completions", "bash"]).output)
        try scratch.write("words", Array("none\n$(touch${IFS}made)\n*\n".utf8))
        let outcome = try Program.outcome(
            """
            bash -c 'compopt() { :; }; command() { cat words; }; . ./_jisui; COMP_WORDS=(jisui ""); COMP_CWORD=1
            _jisui; printf "%s\\n" "${COMPREPLY[@]}"; ls made'
            """, in: scratch.path)
        #expect(outcome.outputText == "$(touch${IFS}made)\n*\n", "\(outcome.errorText)")
    }

    /// A shell shows the description of an option in one line.
    @Test func descriptionsAreBrief() {
        #expect(Completion(of: ["--"]).lines(for: .fish).contains("--trim\tCrop empty margins\n"))
        #expect(Completion(of: ["--"]).lines(for: .zsh).contains("--trim:Crop empty margins\n"))
        #expect(Completion(of: ["--"]).words.allSatisfy { !$0.text.contains(#/\w\. /#) })
    }

    @Test func otherShellsAreRejected() throws {
        let outcome = try BuiltJisui.run(["completions", "csh"])
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("bash, zsh and fish"))
    }

    private func expectCompletions(_ shell: String, _ file: String) throws {
        let scratch = try ScratchFolder()
        let printed = try BuiltJisui.run(["completions", shell])
        #expect(printed.status == 0, "\(printed.errorText)")
        try scratch.write("share/\(file)", printed.output)
        try scratch.write("work/volume.pdf")
        mkdir(scratch("work/shelf"), 0o777)
        let picture = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
        _ = try Program.outcome("cp '\(picture)' \"$(printf 'raw\\351.jpg')\"", in: scratch("work"))
        let script = "\(BuiltJisui.repository)/Tests/Swift/CommandTests/complete.py"
        let outcome = try RunningProgram(
            ["/usr/bin/env", "python3", script, shell, scratch("share")] + CompletionTests.lines, in: scratch("work"),
            environment: BuiltJisui.environment(temporary: scratch(""))
        ).wait()
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }
}
