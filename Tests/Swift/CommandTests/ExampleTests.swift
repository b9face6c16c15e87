internal import Jisui
internal import Scratch
internal import Testing

/// The programs in `Examples` that use jisui as a library.
@Suite struct ExampleTests {
    private func run(_ program: String, _ book: String, _ arguments: [String], in scratch: ScratchFolder) throws
        -> Program.Outcome
    {
        let path = "\(BuiltJisui.fixtures)/good/PDFSource/\(book)"
        let outcome = try RunningProgram(
            ["\(BuiltJisui.testsFolder)/\(program)", path] + arguments, in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("."))
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return outcome
    }

    @Test func itReadsTrimsAndWrites() throws {
        let scratch = try ScratchFolder()
        let outcome = try run("TrimBook", "real-leviathan.pdf", [scratch("book.cbz")], in: scratch)
        #expect(outcome.outputText.split(separator: "\n").count == 4)
        #expect(
            outcome.outputText.hasPrefix("1 lossless CCITT G4 samples stored as PNG, cropped"), "\(outcome.outputText)")
        #expect(try scratch.read("book.cbz").starts(with: Array("PK".utf8)))
    }

    @Test func itStreamsABook() throws {
        let scratch = try ScratchFolder()
        let outcome = try run("StreamBook", "real-leviathan.pdf", [], in: scratch)
        #expect(outcome.output.starts(with: Array("PK".utf8)))
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.prefix(4).allSatisfy { $0.hasSuffix("pages are written") } && lines.count == 8, "\(lines)")
        #expect(lines.last?.hasPrefix("4: ") == true && lines.last?.contains("scaled") == true, "\(lines)")
    }

    /// The page about the library shows the program that was compiled.
    @Test func theDocumentedProgramIsTheExample() throws {
        let top = "\(BuiltJisui.fixtures)/.."
        let source = try text(of: "\(top)/Examples/StreamBook/Sources/StreamBook/main.swift")
        let program = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(
            separator: "\n")
        #expect(program.hasPrefix("import Foundation"))
        #expect(try text(of: "\(top)/docs/library.md").contains("```swift\n\(program)```\n"))
    }

    private func text(of path: String) throws -> String {
        let file = try ReadableFile(path: path)
        return String(decoding: try file.read(at: 0, exactly: file.size), as: UTF8.self)
    }
}

/// The common options as typed values.
@Suite struct JobSettingsTests {
    private func job(_ set: (inout Job) -> Void = { _ in }) -> Job {
        var job = Job(inputs: [Input(path: "book.fake")], sink: "cbz", destination: Destination(path: "book.cbz"))
        set(&job)
        return job
    }

    /// Each value must be one that the option takes.
    @Test func typedValuesAreThoseOfTheOptions() throws {
        let settings = Registry.builtIn().settings
        func words(_ name: String) -> [String] {
            guard case .choice(let words)? = settings.first(where: { $0.name == name })?.kind else { return [] }
            return words
        }
        #expect(Job.Trimming.allCases.map(\.rawValue) == words("trim"))
        let all = job {
            $0.trim = .sides
            $0.deskews = true
            $0.fit = PixelSize(width: 1072, height: 1448)
            $0.makesGray = true
        }
        #expect(all.settings == ["trim": "sides", "deskew": "true", "fit": "1072x1448", "gray": "true"])
        for name in all.settings.keys {
            let setting = try #require(settings.first { $0.name == name })
            #expect(setting.objection(among: all.settings) == nil)
        }
        #expect(all.trim == .sides && all.deskews && all.fit == PixelSize(width: 1072, height: 1448) && all.makesGray)
    }

    @Test func valuesCanBeRemoved() {
        let none = job {
            $0.settings = ["trim": "auto", "deskew": "true", "fit": "10x", "gray": "true", "rotate": "90"]
            #expect($0.fit == nil)
            $0.trim = nil
            $0.deskews = false
            $0.fit = nil
            $0.makesGray = false
        }
        #expect(none.settings == ["rotate": "90"])
        #expect(none.trim == nil && !none.deskews && !none.makesGray)
    }

    /// A typing error in a program must not convert the book without the option.
    @Test func aMisspelledSettingIsAnError() async {
        let misspelled = job { $0.settings = ["trimm": "page"] }
        let error = await #expect(throws: AdapterError.self) { try await Conversion(.builtIn(), misspelled).run() }
        #expect(error?.message == "unknown setting 'trimm'")
        #expect(error?.hint == "did you mean 'trim'?")
    }
}
