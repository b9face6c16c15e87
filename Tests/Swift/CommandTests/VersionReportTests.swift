import Testing

@testable internal import jisui

/// The report of `jisui --version --verbose`.
@Suite struct VersionReportTests {
    @Test func everyLibraryHasAVersion() throws {
        let report = try #require(VersionReport.answer(["--version", "--verbose"]))
        let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "\(Jisui.version)")
        let libraries = lines.drop { $0 != "Libraries:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(libraries.count == 17)
        for line in libraries {
            #expect(line.wholeMatch(of: /\s\s\S+ (\d[\w.+~-]*|is not installed)/) != nil, "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("Sandbox: ") })
        #expect(lines.contains("Plug-ins:"))
    }

    @Test func missingSandboxLayersAreNamed() {
        #expect(VersionReport.sandbox(["files", "calls"]) == "files, calls")
        #expect(VersionReport.sandbox(["calls"]) == "calls; missing: files")
        #expect(VersionReport.sandbox([]) == "none; missing: files, calls")
    }

    @Test(arguments: [["--version"], ["--verbose"], ["--version", "--verbose", "book.pdf"], ["-v", "book.pdf"], []])
    func otherArgumentsGiveNoReport(_ arguments: [String]) {
        #expect(VersionReport.answer(arguments) == nil)
    }

    @Test func shortOptionGivesTheSameReport() {
        #expect(VersionReport.answer(["-v", "--version"]) == VersionReport.answer(["--version", "--verbose"]))
    }
}
