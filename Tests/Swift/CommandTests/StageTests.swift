import AdapterKit
import Conversion
import ExternalAdapters
import Glibc
import PageModel
import Planning
import Scratch
import Testing

@testable import jisui

/// The order of processing, and the tables that document it.
@Suite struct StageTests {
    /// The modes of `--spreads`, each with the options that only some modes take.
    private static let modes: [(mode: String, options: [String], joins: Bool)] = [
        ("pair", ["cover", "shift", "blanks"], false),
        ("merge", ["cover", "shift", "gutter", "seam", "single-on-canvas"], true),
        ("split", ["cover", "shift", "blanks", "fold"], false),
        ("split", ["cover", "shift", "blanks", "keep-art"], false),
        ("join-art", ["cover", "shift", "blanks", "gutter", "seam"], true),
        ("rotate", [], true),
    ]

    /// The options that exclude others: `--wide` stands for modes of `--spreads`.
    private static let excluding = ["wide", "wide-turn", "webtoon"]

    /// All options of jisui's own transforms for each mode, with the values of their first samples.
    private static let runs = modes.map { mode, options, joins in
        let others = Set(modes.flatMap(\.options)).subtracting(options).union(excluding)
        let settings = Registry.own.transforms.flatMap(\.descriptor.settings).filter { !others.contains($0.name) }
        var given: [String: String] = [:]
        for setting in settings {
            guard let sample = OptionSample.all.first(where: { $0.option == setting.name }) else { continue }
            given[setting.name] = sample.value ?? setting.impliedValue ?? "true"
        }
        // With --whiten, that transform looks for show-through.
        return (given: given.merging(["spreads": mode, "show-through": "auto"]) { $1 }, joins: joins)
    }

    /// Returns the requested passes of jisui's own transforms, with the ids of the transforms.
    private static func passes(_ given: [String: String]) throws -> [(id: String, pass: Pass)] {
        try Registry.own.transforms.flatMap { transform in
            try transform.passes(try Settings(transform.descriptor.settings, given: given)).map {
                (transform.descriptor.id, $0)
            }
        }
    }

    /// The transforms of each stage, if every option is given.
    private static func contributors() throws -> [Stage: [String]] {
        var contributors: [Stage: [String]] = [:]
        for given in runs.map(\.given) + [["webtoon": "true", "fit": "10x20"], ["show-through": "only"]] {
            for (id, pass) in try passes(given) where !contributors[pass.stage, default: []].contains(id) {
                contributors[pass.stage, default: []].append(id)
            }
        }
        return contributors
    }

    @Test(arguments: runs.indices) func passesHaveTheirOrder(_ index: Int) throws {
        let (given, joins) = Self.runs[index]
        let all = try Self.passes(given)
        let ids = Stage.allCases.flatMap { stage in
            all.filter { $0.pass.stage == stage }.map { "\(stage) \($0.id)" }
        }
        let passes = all.map(\.pass).inOrderOfStages
        #expect(
            ids == [
                "crop looks", "turn rotate", "clip clips", "split spreads", "flatten flatten", "trim trim",
                "clean clean",
            ] + (joins ? ["join spreads"] : []) + [
                "fit looks", "gray looks", "invert looks", "tone looks", "shades clean", "shades looks",
            ])
        #expect(passes.map { "\($0.stage)" } == ids.map { String($0.prefix { $0 != " " }) })
        #expect(
            passes.flatMap(\.edits).map { $0.operation?.options ?? [] }
                == [
                    [], [], ["fit", "enlarge", "sharpen"], ["color-filter"], ["gray"], ["invert"],
                    ["levels", "gamma"], ["shades", "dither"],
                ])
        #expect(passes.flatMap(\.sharedSettings).map(\.name).sorted() == (given["seam"] == nil ? [] : Self.shared))
        #expect(passes.map(\.directionUse).max() == (given["spreads"] == "rotate" ? DirectionUse.none : .arranging))
    }

    private static let shared = ["align", "background"]

    @Test func withoutOptionsThereAreNoPasses() throws {
        #expect(try Self.passes([:]).isEmpty)
    }

    // MARK: The tables

    /// The reason of each stage: its comment.
    private static func reasons() throws -> [String: String] {
        let path = "\(BuiltJisui.repository)/Sources/AdapterKit/Transforms/Stage.swift"
        var (reasons, comment): ([String: String], [Substring]) = ([:], [])
        for line in String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("/// ") {
                comment.append(text.dropFirst(4))
            } else {
                if text.hasPrefix("case ") { reasons[String(text.dropFirst(5))] = comment.joined(separator: " ") }
                comment = []
            }
        }
        return reasons
    }

    /// `RECORD=1` writes the tables.
    @Test(arguments: [
        ("architecture.md", Stage.crop...Stage.shades), ("plugin-protocol.md", PluginManifest.stages),
    ])
    func theTablesOfStagesAreUpToDate(_ name: String, _ stages: ClosedRange<Stage>) throws {
        let (contributors, reasons) = (try Self.contributors(), try Self.reasons())
        var table = "| Stage | Passes of | Reason |\n|---|---|---|\n"
        for stage in Stage.allCases.filter(stages.contains) {
            let ids = contributors[stage]?.map { "`\($0)`" }.joined(separator: ", ") ?? "plug-ins"
            let reason = try #require(reasons[stage.name])
            table += "| `\(stage.name)` | \(ids) | \(reason) |\n"
        }
        let path = "\(BuiltJisui.repository)/docs/dev/\(name)"
        let page = String(decoding: try Files.read(path), as: UTF8.self)
        let start = try #require(page.firstRange(of: "| Stage | Passes of |")?.lowerBound)
        let end = try #require(page[start...].firstRange(of: "\n\n")?.lowerBound)
        let updated = page[..<start] + table.dropLast() + page[end...]
        if getenv("RECORD") != nil { try Files.write(Array(updated.utf8), to: path) }
        #expect(String(decoding: try Files.read(path), as: UTF8.self) == String(updated))
    }
}
