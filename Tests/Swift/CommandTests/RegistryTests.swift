import AdapterKit
import Conversion
import Files
import PageModel
import Testing

@testable import jisui

/// The descriptors of all adapters of jisui.
@Suite struct RegistryTests {
    private let groups = [
        Registry.jisui.sources.map(\.descriptor), Registry.jisui.transforms.map(\.descriptor),
        Registry.jisui.sinks.map(\.descriptor),
    ]

    /// `--from` and `--to` name a source or a sink, and so does the extension of a file.
    @Test func idsAndExtensionsAreUnique() {
        for descriptors in groups {
            #expect(repeated(descriptors.map(\.id)).isEmpty)
            #expect(repeated(descriptors.flatMap(\.extensions)).isEmpty)
        }
    }

    private func repeated(_ words: [String]) -> [String] {
        Dictionary(grouping: words) { $0 }.filter { $1.count > 1 }.keys.sorted()
    }

    /// One option on the command line serves every adapter that has a setting of its name.
    @Test func settingsOfOneNameAreTheSame() {
        let settings = Dictionary(grouping: groups.joined().flatMap(\.settings), by: \.name)
        #expect(settings.count > 60)
        for (name, all) in settings { #expect(Set(all).count == 1, "--\(name) has several meanings") }
    }

    /// Reading apps turn pages by the direction, and place facing pages by it. The tested comic readers ignore that of a
    /// ComicInfo.xml.
    @Test func sinksThatStateADirectionRequestIt() throws {
        let request = SinkRequest(book: BookMetadata(), pageCount: 2, destination: Destination(path: "output"))
        let uses = try Registry.jisui.sinks.map { ($0.descriptor.id, try $0.capabilities(request)) }
        let stating = uses.filter { $1.features.contains(.direction) }
        func ids(_ use: DirectionUse) -> [String] { stating.filter { $1.directionUse == use }.map(\.0).sorted() }
        #expect(ids(.none) == ["cb7", "cbt", "cbz"])
        #expect(ids(.stating) == ["pdf"])
        #expect(ids(.arranging) == ["azw3", "epub", "web", "xtc", "xtch"])
    }
}
