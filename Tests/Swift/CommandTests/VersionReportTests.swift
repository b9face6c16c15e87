import Testing

@testable internal import jisui

/// The report of `jisui --version --verbose`.
@Suite(.withoutUserFiles) struct VersionReportTests {
    @Test func everyLibraryHasAVersion() {
        let report = VersionReport(isVerbose: true).text
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

    @Test(arguments: ["--version -v", "-v --version", "--version --verbose"])
    func verboseGivesTheReport(_ line: String) throws {
        let command = try CommandLineParser.command(line.split(separator: " ").map(String.init))
        #expect((command as? VersionReport)?.isVerbose == true)
    }
}
