import AdapterKit
import AdapterTestKit
import Conversion
import Testing

@testable import jisui

/// Every source, with every fixture of its own.
@Suite struct SourceConformanceTests {
    /// A source and one of its fixtures.
    struct Case: CustomTestStringConvertible, Sendable {
        let source: any SourceAdapter
        let fixture: Fixture

        var testDescription: String { "\(source.card.id) reads \(fixture.testDescription)" }
    }

    @Test(.timeLimit(.minutes(10)), arguments: try cases(Fixture.good))
    func keepsItsPromises(_ test: Case) async {
        let failures = await checkSource(
            test.source, test.fixture.input, expectedPages: test.fixture.pages, prefixes: Self.sweep(test))
        for failure in failures { Issue.record(failure) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: try cases(Fixture.bad))
    func failsCleanly(_ test: Case) async {
        let failures = await checkBadInput(test.source, test.fixture.input, mayPass: test.fixture.mayPass)
        for failure in failures { Issue.record(failure) }
    }

    /// The folder source's fixtures are the pictures.
    @Test func readsFoldersAndPictures() async throws {
        let source = try Registry.jisui.source("folder")
        let pictures = try Fixture.good("Imaging")
        #expect(pictures.count > 20)
        for picture in pictures {
            let failures = await checkSource(source, picture.input, expectedPages: 1)
            for failure in failures { Issue.record(failure) }
        }
        let folder = Input(path: "\(Fixture.root)/good/Imaging")
        let failures = await checkSource(source, folder, expectedPages: pictures.count)
        for failure in failures { Issue.record(failure) }
    }

    /// Nearly every PDF shows one detail of a page, and they break off alike: a few are cut at every length.
    private static func sweep(_ test: Case) -> PrefixSweep {
        let thorough = ["jpeg.pdf", "gray8.pdf", "object-streams.pdf", "encrypted-aes-256.pdf", "labels.pdf"]
        let isOneOfMany = test.source.card.id == "pdf" && !thorough.contains(test.fixture.testDescription)
        return isOneOfMany ? .spread(20) : .standard
    }

    static func cases(_ fixtures: (String) throws -> [Fixture]) throws -> [Case] {
        try Registry.jisui.sources.flatMap { source in
            try fixtures("\(type(of: source))").map { Case(source: source, fixture: $0) }
        }
    }
}
