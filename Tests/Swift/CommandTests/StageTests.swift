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
    /// A value of each option of jisui's own transforms, except for those that need a mode of `--spreads`.
    private static let values = [
        "crop": "1", "rotate": "90", "fit": "10x20", "enlarge": "true", "sharpen": "50", "color-filter": "true",
        "gray": "true", "invert": "true",
        "shades": "4", "dither": "off", "levels": "10,90", "gamma": "2", "clips": "clips.json", "flatten": "true",
        "show-through": "auto",
        "flatten-file": "curves.json", "trim": "auto", "trim-margin": "1%", "trim-aspect": "device",
        "trim-confidence": "0.6", "trim-sheet": "sheet.html", "trim-file": "boxes.json", "trim-numbers": "true",
        "trim-heads": "true", "deskew": "true", "whiten": "auto", "paper": "white",
        "despeckle": "true", "borders": "paper", "clean-sheet": "cleaned.html", "clean-file": "cleaning.json",
        "bilevel": "text", "bilevel-dpi": "600",
        "wide-ratio": "1.5", "align": "end", "background": "black",
    ]

    private static let pairing = ["cover": "paired", "shift": "3", "spread-file": "spreads.json"]
    private static let joining = ["gutter": "4", "seam": "exact"]

    /// A value of each mode of `--spreads`, with the options that it takes.
    private static let modes: [(mode: String, options: [[String: String]], joins: Bool)] = [
        ("pair", [pairing, ["blanks": "true"]], false),
        ("merge", [pairing, joining, ["single-on-canvas": "true"]], true),
        ("split", [pairing, ["blanks": "true", "fold": "40%"]], false),
        ("split", [pairing, ["blanks": "true", "keep-art": "true"]], false),
        ("join-art", [pairing, joining, ["blanks": "true"]], true),
        ("rotate", [], true),
    ]

    private static let runs = modes.map { mode, options, joins in
        let given = options.reduce(values.merging(["spreads": mode]) { $1 }) { $0.merging($1) { $1 } }
        return (given: given, joins: joins)
    }

    /// `--webtoon` excludes other options.
    private static let webtoon = ["webtoon": "true", "fit": "10x20"]
    /// With `--whiten`, that transform looks for show-through.
    private static let showThrough = ["show-through": "only"]

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
        for given in runs.map(\.given) + [webtoon, showThrough] {
            for (id, pass) in try passes(given) where !contributors[pass.stage, default: []].contains(id) {
                contributors[pass.stage, default: []].append(id)
            }
        }
        return contributors
    }

    @Test func theOptionsAreAllThatThereAre() {
        // --wide stands for modes of --spreads.
        let given = Self.runs.reduce(into: Set(["wide", "wide-turn"]).union(Self.webtoon.keys)) {
            $0.formUnion($1.given.keys)
        }
        #expect(given == Set(Registry.own.transforms.flatMap(\.descriptor.settings).map(\.name)))
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
                    [], [], ["fit", "enlarge", "sharpen"], ["color-filter"], [], ["invert"], ["levels", "gamma"],
                    ["shades", "dither"],
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
