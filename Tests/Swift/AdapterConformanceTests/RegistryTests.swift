import AdapterKit
import AdapterTestKit
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

    @Test func descriptorsAreValid() {
        let all = groups.joined()
        #expect(all.count > 20)
        for failure in all.flatMap(checkDescriptor) { Issue.record(failure) }
    }

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

    /// A rule sees every fault that it is for.
    @Test(arguments: [
        (AdapterDescriptor(id: "A b", summary: "s", extensions: []), "its id is not a plain word"),
        (AdapterDescriptor(id: "a", summary: "", extensions: []), "it has no summary"),
        (AdapterDescriptor(id: "a", summary: "s", extensions: [".X"]), "'.X' is not a plain extension"),
        (with(Setting("-s", .flag, valueName: "", help: "h")), "---s is not a plain name"),
        (with(Setting("s", .text, valueName: "X", help: "")), "--s needs a help without a final stop"),
        (with(Setting("s", .flag, valueName: "", help: "h.")), "--s needs a help without a final stop"),
        (with(Setting("s", .text, valueName: "", help: "h")), "--s has no name for its value"),
        (
            with(Setting("s", .integer(1...2), default: "3", valueName: "X", help: "h")),
            "--s has an impossible default: --s takes a whole number from 1 to 2, not '3'"
        ),
        (with(Setting("s", .text, implied: "x", valueName: "X", help: "h")), "--s has an impossible implied value"),
        (
            with(Setting("s", .choice(["a"]), implied: "x", valueName: "X", help: "h")),
            "--s has an impossible implied value"
        ),
    ])
    func faultyDescriptorsAreSeen(_ descriptor: AdapterDescriptor, _ words: String) {
        #expect(checkDescriptor(descriptor).map(\.message) == [words])
    }

    private static func with(_ setting: Setting) -> AdapterDescriptor {
        AdapterDescriptor(id: "a", summary: "s", extensions: [], settings: [setting])
    }
}
