import OrderedJSON
import Scratch
import Testing

@testable import ExternalAdapters

/// Outside plug-ins, judged by scripts in `Tests/Programs/Plugins` that start jisui or a plug-in as people and jisui do.
@Suite(.needs("python3", "tesseract", "pdftotext")) struct PluginTests {
    /// The script, and the tests that it has at least: a run that found none proves nothing.
    @Test(arguments: [("jisui_tests.py", 12), ("bounds_tests.py", 8), ("faults_tests.py", 100)])
    func scriptsFindNothingWrong(
        _ script: String, _ minimumCount: Int
    ) throws {
        let scratch = try ScratchFolder()
        // Where plug-ins are, nobody else may write.
        let path = "\(BuiltJisui.repository)/Tests/Programs/Plugins/\(script)"
        let jisui = script == "bounds_tests.py" ? BuiltJisui.withFaults : BuiltJisui.path
        let outcome = try Program.outcome(
            "chmod 755 . && python3 '\(path)' '\(jisui)' '\(scratch.path)/work'", in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let lines = outcome.outputText.split(separator: "\n").compactMap { JSON(parsing: Array($0.utf8)) }
        for line in lines {
            guard let name = line["test"]?.asString, let fault = line["fault"]?.asString else { continue }
            Issue.record("\(name): \(fault)")
        }
        #expect(lines.count >= minimumCount)
    }

    /// `finish` may take as long as ten pages, and at least a minute.
    @Test(arguments: [(nil, 600), (2, 60), (6, 60), (7, 70), (300, 3000)] as [(Int?, Int)])
    func timeToFinishFollowsThePageTimeout(_ pageTimeout: Int?, _ expected: Int) {
        #expect(Plugin.secondsToFinish(pageTimeout: pageTimeout) == expected)
    }
}
