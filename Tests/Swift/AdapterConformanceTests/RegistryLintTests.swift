import AdapterKit
import Conversion
internal import PageModel
import Testing

@testable import jisui

@Suite struct RegistryLintTests {
    /// Extensions that two sources or two sinks may both claim, and why.
    private static let shared: [String: String] = [:]
    /// Sources that need no fixtures of their own, and why.
    private static let fixtureless = [
        "folder": "the images in good/Imaging are its fixtures",
        "picture": "the images in good/Imaging are its fixtures",
    ]

    @Test func builtInDescriptorsAreValid() throws {
        let lint = try RegistryLint(.jisui, shared: Self.shared, fixtureless: Self.fixtureless) {
            try Fixture.good("\(type(of: $0))").count
        }
        #expect(lint.diagnostics.isEmpty)
        #expect(lint.descriptorCount > 6)
        #expect(lint.settingCount > 2)
        #expect(lint.fixtureCount > 150)
    }

    /// Every row of a table of fixtures describes an existing file; a row without one would test nothing.
    @Test func fixtureTablesListExistingFiles() throws {
        let pages = try Registry.jisui.sources.flatMap { try Fixture.good("\(type(of: $0))") }.map(\.pages)
        #expect(pages.count { $0 > 1 } > 15)
        let bad = try Registry.jisui.sources.flatMap { try Fixture.bad("\(type(of: $0))") }
        #expect(bad.count > 40)
        #expect(bad.count { !$0.mayPass } > 10)
    }

    /// The lint sees every fault it is for.
    @Test(arguments: [
        ([BrokenDescriptor("a"), BrokenDescriptor("a")], "two sources are called 'a'"),
        ([BrokenDescriptor("a", extensions: ["x"]), BrokenDescriptor("b", extensions: ["x"])], "both claim '.x'"),
        ([BrokenDescriptor("a", extensions: [".X"])], "no plain extension"),
        ([BrokenDescriptor("A b")], "no plain word"),
        ([BrokenDescriptor("a", Setting("s", .text, valueName: "X", help: ""))], "needs a help"),
        ([BrokenDescriptor("a", Setting("s", .text, valueName: "", help: "h"))], "no name for its value"),
        (
            [BrokenDescriptor("a", Setting("s", .integer(1...2), default: "3", valueName: "X", help: "h"))],
            "impossible default"
        ),
        (
            [
                BrokenDescriptor("a", Setting("s", .text, valueName: "X", help: "h")),
                BrokenDescriptor("b", Setting("s", .text, valueName: "Y", help: "h")),
            ], "means something else"
        ),
        (
            [BrokenDescriptor("a", Setting("s", .text, implied: "x", valueName: "X", help: "h"))],
            "impossible implied value"
        ),
    ])
    func aFaultIsSeen(_ sources: [BrokenDescriptor], _ diagnostic: String) {
        let lint = RegistryLint(Registry(sources: sources, sinks: [])) { _ in 1 }
        #expect(lint.diagnostics.count == 1)
        #expect(lint.diagnostics.first?.contains(diagnostic) == true)
    }

    @Test func aMissingFixtureIsSeen() {
        let lint = RegistryLint(Registry(sources: [BrokenDescriptor("a")], sinks: [])) { _ in 0 }
        #expect(lint.diagnostics == ["source 'a' has no good fixture"])
    }
}

/// A source that is nothing but its card.
struct BrokenDescriptor: SourceAdapter {
    let descriptor: AdapterDescriptor

    init(_ id: String, extensions: [String] = [], _ settings: Setting...) {
        descriptor = AdapterDescriptor(id: id, summary: "test", extensions: extensions, settings: settings)
    }

    func recognize(_ probe: Probe) -> Recognition { .no }

    func open(_ input: Input, settings: Settings, limits: Limits) throws(AdapterError) -> OpenedBook {
        throw AdapterError(.unsupported, "is only a card")
    }
}

/// The problems of a registry's cards.
struct RegistryLint {
    private(set) var diagnostics: [String] = []
    /// The number of items examined: a walk that finds nothing proves nothing.
    private(set) var descriptorCount = 0
    private(set) var settingCount = 0
    private(set) var fixtureCount = 0

    /// - Parameters:
    ///   - shared: extensions that two sources, or two sinks, may both claim, and why.
    ///   - fixtureless: the ids of sources that need no fixtures of their own, and why.
    init(
        _ registry: Registry, shared: [String: String] = [:], fixtureless: [String: String] = [:],
        fixtures: (any SourceAdapter) throws -> Int
    ) rethrows {
        look(at: registry.sources.map(\.descriptor), "source", shared)
        look(at: registry.sinks.map(\.descriptor), "sink", shared)
        look(at: registry.transforms.map(\.descriptor), "transform", shared)
        lookAtSettings(registry)
        for source in registry.sources {
            let count = try fixtures(source)
            fixtureCount += count
            let isExcused = fixtureless[source.descriptor.id] != nil
            if count == 0 && !isExcused { diagnostics.append("source '\(source.descriptor.id)' has no good fixture") }
            if count > 0 && isExcused {
                diagnostics.append("source '\(source.descriptor.id)' has fixtures and needs no excuse")
            }
        }
    }

    private mutating func look(at descriptors: [AdapterDescriptor], _ kind: String, _ shared: [String: String]) {
        descriptorCount += descriptors.count
        var owners: [String: String] = [:]
        for id in Set(descriptors.map(\.id)) where descriptors.count(where: { $0.id == id }) > 1 {
            diagnostics.append("two \(kind)s are called '\(id)'")
        }
        for descriptor in descriptors {
            if !isWord(descriptor.id) { diagnostics.append("\(kind) '\(descriptor.id)': its id is no plain word") }
            if descriptor.summary.isEmpty { diagnostics.append("\(kind) '\(descriptor.id)' has no summary") }
            for word in descriptor.extensions {
                if !isWord(word) { diagnostics.append("\(kind) '\(descriptor.id)': '\(word)' is no plain extension") }
                if let owner = owners.updateValue(descriptor.id, forKey: word), shared[word] == nil {
                    diagnostics.append("\(kind)s '\(owner)' and '\(descriptor.id)' both claim '.\(word)'")
                }
            }
        }
    }

    /// One option on the command line serves every adapter that has a setting of its name.
    private mutating func lookAtSettings(_ registry: Registry) {
        var known: [String: Setting] = [:]
        for descriptor in registry.sources.map(\.descriptor) + registry.transforms.map(\.descriptor)
            + registry.sinks.map(\.descriptor)
        {
            for setting in descriptor.settings {
                settingCount += 1
                let name = "'\(descriptor.id)': --\(setting.name)"
                if !isWord(setting.name) { diagnostics.append("\(name) is no plain name") }
                if setting.help.isEmpty || setting.help.hasSuffix(".") {
                    diagnostics.append("\(name) needs a help without a final stop")
                }
                if setting.valueName.isEmpty && setting.kind != .flag {
                    diagnostics.append("\(name) has no name for its value")
                }
                if let objection = setting.defaultValue.flatMap(setting.objection) {
                    diagnostics.append("\(name) has an impossible default: \(objection)")
                }
                if let other = known.updateValue(setting, forKey: setting.name), other != setting {
                    diagnostics.append("\(name) means something else for another adapter")
                }
                if let implied = setting.impliedValue {
                    if case .choice(let words) = setting.kind, words.contains(implied) { continue }
                    diagnostics.append("\(name) has an impossible implied value")
                }
            }
        }
    }

    private func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
            && text.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
}
