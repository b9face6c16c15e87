import AdapterKit
import ComicSink
import Conversion
import Files
import FolderSource
import PageModel
import Scratch
import Testing

@testable import Work

/// A source that only claims an extension, so that names of outputs leave it out.
private struct NamingSource: SourceAdapter {
    let descriptor = AdapterDescriptor(id: "naming", summary: "", extensions: ["cbz"])

    func recognize(_ probe: Probe) -> Recognition { .no }

    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        throw AdapterError(.unsupported, "is never opened")
    }
}

@Suite struct OwnOutputTests {
    private static let registry = Registry(
        sources: [FolderSource(), PictureSource(), NamingSource()], sinks: [CBZSink()])
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    /// Finds the outputs among images that a run would write as CBZ next to themselves.
    private func found(
        _ names: [String], _ values: [String: [String]] = [:], suffix: String? = nil
    ) async throws -> (all: Set<String>, unmade: [String]) {
        for name in names { try books.image(name) }
        let inputs = names.map { Input(path: books.scratch($0)) }
        let recipe = Recipe(values.merging(["to": ["cbz"]]) { $1 })
        var target = try Target(Self.registry, output: nil, recipe, inputs: inputs.map(\.path), isQueue: true)
        target.suffix = suffix
        let own = try await RecipeJobs(recipe, Self.registry).ownOutputs(target, among: inputs)
        func short(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
        return (Set(own.paths.map(short)), own.unmade.map(short))
    }

    @Test func booksOfTheFormatOfTheOutputAreTheirOwnOutputs() async throws {
        let own = try await found(["a.cbz", "b.png"])
        #expect(own.all == ["a.cbz"] && own.unmade == ["a.cbz"])
    }

    @Test func outputOfAnotherInputIsFromAnEarlierRun() async throws {
        let own = try await found(["a.png", "a.cbz"])
        #expect(own.all == ["a.cbz"] && own.unmade.isEmpty)
        let suffixed = try await found(["c.png", "c-kobo.cbz"], suffix: "-kobo")
        #expect(suffixed.all == ["c-kobo.cbz"] && suffixed.unmade.isEmpty)
    }

    @Test func templateGivesBooksAnOutputOfTheirOwn() async throws {
        let names = ["name": ["{name} gray"]]
        let own = try await found(["a.cbz", "b.png"], names)
        #expect(own.all.isEmpty && own.unmade.isEmpty)
        // The next run finds the output of this one.
        let again = try await found(["a.cbz", "a gray.cbz"], names)
        #expect(again.all == ["a gray.cbz"] && again.unmade.isEmpty)
        // The metadata names the output, which is thus another file.
        let titled = try await found(["c.png", "d.cbz"], ["name": ["{title} x"], "title": ["T"]])
        #expect(titled.all.isEmpty)
        let same = try await found(["f.cbz"], ["name": ["{title}"], "title": ["f"]])
        #expect(same.all == ["f.cbz"] && same.unmade == ["f.cbz"])
    }
}
