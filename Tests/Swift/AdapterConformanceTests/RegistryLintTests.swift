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

    private static func setting(_ kind: Setting.Kind, default value: String? = nil, implied: String? = nil) -> Setting {
        Setting("s", kind, default: value, implied: implied, valueName: "X", help: "h")
    }

    /// The lint sees every fault it is for.
    @Test(arguments: [
        ([BrokenDescriptor("a"), BrokenDescriptor("a")], "two sources are called 'a'"),
        ([BrokenDescriptor("a", extensions: ["x"]), BrokenDescriptor("b", extensions: ["x"])], "both claim '.x'"),
        ([BrokenDescriptor("a", extensions: [".X"])], "no plain extension"),
        ([BrokenDescriptor("A b")], "no plain word"),
        ([BrokenDescriptor("a", Setting("s", .text, valueName: "X", help: ""))], "needs a help"),
        ([BrokenDescriptor("a", Setting("s", .text, valueName: "", help: "h"))], "no name for its value"),
        ([BrokenDescriptor("a", setting(.integer(1...2), default: "3"))], "impossible default"),
        ([BrokenDescriptor("a", setting(.text)), BrokenDescriptor("b", setting(.flag))], "means something else"),
        ([BrokenDescriptor("a", setting(.text, implied: "x"))], "impossible implied value"),
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
    private(set) var (descriptorCount, settingCount, fixtureCount) = (0, 0, 0)

    /// - Parameters:
    ///   - shared: extensions that two sources, or two sinks, may both claim, and why.
    ///   - fixtureless: the ids of sources that need no fixtures of their own, and why.
    init(
        _ registry: Registry, shared: [String: String] = [:], fixtureless: [String: String] = [:],
        fixtures: (any SourceAdapter) throws -> Int
    ) rethrows {
        let kinds = [
            ("source", registry.sources.map(\.descriptor)), ("transform", registry.transforms.map(\.descriptor)),
            ("sink", registry.sinks.map(\.descriptor)),
        ]
        for (kind, descriptors) in kinds { look(at: descriptors, kind, shared) }
        lookAtSettings(kinds.flatMap(\.1))
        for source in registry.sources {
            let (id, count) = (source.descriptor.id, try fixtures(source))
            let isExcused = fixtureless[id] != nil
            fixtureCount += count
            expect(count > 0 || isExcused, "source '\(id)' has no good fixture")
            expect(count == 0 || !isExcused, "source '\(id)' has fixtures and needs no excuse")
        }
    }

    private mutating func expect(_ isRight: Bool, _ diagnostic: String) {
        if !isRight { diagnostics.append(diagnostic) }
    }

    private mutating func look(at descriptors: [AdapterDescriptor], _ kind: String, _ shared: [String: String]) {
        descriptorCount += descriptors.count
        var owners: [String: String] = [:]
        var ids: Set<String> = []
        for descriptor in descriptors {
            let id = descriptor.id
            expect(ids.insert(id).inserted, "two \(kind)s are called '\(id)'")
            expect(isWord(id), "\(kind) '\(id)': its id is no plain word")
            expect(!descriptor.summary.isEmpty, "\(kind) '\(id)' has no summary")
            for word in descriptor.extensions {
                expect(isWord(word), "\(kind) '\(id)': '\(word)' is no plain extension")
                let owner = owners.updateValue(id, forKey: word)
                expect(
                    owner == nil || shared[word] != nil, "\(kind)s '\(owner ?? "")' and '\(id)' both claim '.\(word)'")
            }
        }
    }

    /// One option on the command line serves every adapter that has a setting of its name.
    private mutating func lookAtSettings(_ descriptors: [AdapterDescriptor]) {
        var known: [String: Setting] = [:]
        for descriptor in descriptors {
            for setting in descriptor.settings {
                settingCount += 1
                let name = "'\(descriptor.id)': --\(setting.name)"
                expect(isWord(setting.name), "\(name) is no plain name")
                expect(
                    !setting.help.isEmpty && !setting.help.hasSuffix("."), "\(name) needs a help without a final stop")
                expect(!setting.valueName.isEmpty || setting.kind == .flag, "\(name) has no name for its value")
                let objection = setting.defaultValue.flatMap(setting.objection).map { "\($0)" }
                expect(objection == nil, "\(name) has an impossible default: \(objection ?? "")")
                expect(
                    known.updateValue(setting, forKey: setting.name) ?? setting == setting,
                    "\(name) means something else for another adapter")
                guard let implied = setting.impliedValue else { continue }
                if case .choice(let words) = setting.kind, words.contains(implied) { continue }
                expect(false, "\(name) has an impossible implied value")
            }
        }
    }

    private func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
            && text.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
}
