import Scratch
import Testing

@testable import ExternalAdapters

/// Outside plug-ins, judged by tests in `Tests/Programs/Plugins` that start jisui or a plug-in as people and jisui do.
@Suite(.needs("tesseract", "pdftotext", "pgrep"), .needs(modules: "pytest, xdist")) struct PluginTests {
    @Test(arguments: ["jisui_tests.py", "bounds_tests.py", "faults_tests.py -n 8 --dist loadgroup"])
    func scriptsFindNothingWrong(_ script: String) throws {
        let jisui = script == "bounds_tests.py" ? BuiltJisui.withFaults : BuiltJisui.path
        try expectPytest("Plugins/\(script)", jisui: jisui)
    }

    /// `finish` may take as long as ten pages, and at least a minute.
    @Test(arguments: [(nil, 600), (2, 60), (6, 60), (7, 70), (300, 3000)] as [(Int?, Int)])
    func timeToFinishFollowsThePageTimeout(_ pageTimeout: Int?, _ expected: Int) {
        #expect(Plugin.secondsToFinish(pageTimeout: pageTimeout) == expected)
    }
}
