internal import Glibc
internal import Scratch
internal import Testing

/// The completions of Tab in the shells, installed as `make install` does.
@Suite struct CompletionTests {
    /// Typed lines, each followed by the text shown after Tab.
    private static let lines = [
        "jisui volu", "volume.pdf", "jisui inf", "info", "jisui --dry", "--dry-run", "jisui volume.pdf --dry",
        "--dry-run", "jisui volume.pdf --to st", "strip", "jisui volume.pdf -o shel", "shelf",
        "jisui convert volume.pdf --dry", "--dry-run", "jisui convert volu", "volume.pdf", "jisui info --js", "--json",
        "jisui info volu", "volume.pdf", "jisui help stra", "straighten", "jisui help al", "all",
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

    /// fish shows the description of an option next to each of its values.
    @Test func fishShowsBriefDescriptions() throws {
        let script = try BuiltJisui.run(["completions", "fish"]).outputText
        let descriptions = script.matches(of: /\ -d '((?:[^'\\]|\\.)*)'/).map { String($0.1) }
        #expect(descriptions.count > 100)
        #expect(descriptions.filter { $0.contains(". ") } == [])
        #expect(script.contains(" -d 'Crop empty margins.' -rfka 'auto page"))
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
