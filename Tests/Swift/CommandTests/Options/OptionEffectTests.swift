internal import AdapterKit
internal import Conversion
internal import Scratch
internal import Testing

@testable internal import jisui

/// No option is ignored silently: for any input and output, an option changes the output, is rejected, or a line states
/// that it had no effect and why.
@Suite struct OptionEffectTests {
    /// An output of each sink, by its id. The folder it lies in tells those of two runs apart.
    private static let outputs: [(sink: String, path: String, isLikeAnother: Bool)] = [
        ("cbz", "out.cbz", false), ("cb7", "out.cb7", true), ("cbt", "out.cbt", true), ("folder", "out/", false),
        ("pdf", "out.pdf", false), ("epub", "out.epub", false), ("azw3", "out.azw3", false),
        ("xtc", "out.xtc", false), ("xtch", "out.xtch", true),
        ("strip", "out.png", false), ("strip", "out.jpg", true), ("web", "out/", false),
    ]

    @Test func everyOptionHasASampleOrAnExemption() {
        let names = Convert.entry.options.map(\.name)
        #expect(names.count > 70)
        let sampled = Set(OptionSample.all.map(\.option))
        for name in names {
            #expect(
                sampled.contains(name) || OptionSample.exempt[name] != nil,
                "--\(name) has no sample in OptionSamples.swift, by which its effect is seen")
        }
        #expect(sampled.union(OptionSample.exempt.keys).subtracting(names).isEmpty)
    }

    @Test func everySinkHasAnOutput() {
        #expect(Set(Self.outputs.map(\.sink)) == Set(Registry.own.sinks.map(\.descriptor.id)))
    }

    // Thousands of runs: only with the program as users get it, which is ten times as fast as that with the sanitizer.
    @Test(.endsWhenItHangs, .enabled(if: Program.environment["JISUI_UNDER_TEST"] != nil, "for the release"))
    func noOptionIsIgnoredSilently() async throws {
        let inputs = try OptionInputs()
        let ways = inputs.books.flatMap { book in
            // An output similar to another is tried with few inputs: a run of jisui takes time.
            Self.outputs.filter { book.isOneOfFew || !$0.isLikeAnother }.map {
                Trial(inputs: inputs, book: book, sink: $0.sink, output: $0.path)
            }
        }
        // Continuous integration tries a fifth of them, another one in each run.
        let trials =
            Program.environment["JISUI_SEED"].flatMap { Int($0) }.map { seed in
                ways.indices.filter { $0 % 5 == seed % 5 }.map { ways[$0] }
            } ?? ways
        let silent = try await withThrowingTaskGroup(of: [String].self) { group in
            for trial in trials { group.addTask { try trial.silentOptions() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for option in silent.sorted() { Issue.record("\(option)") }
    }
}

/// All options on one way from an input to an output.
private struct Trial: Sendable {
    let inputs: OptionInputs
    let book: OptionInputs.Book
    let sink: String
    let output: String

    /// The result of a run.
    private struct Outcome {
        let status: Int32
        let lines: Set<String>
        let files: [String: [UInt8]]
    }

    /// The options that did nothing without a word.
    func silentOptions() throws -> [String] {
        var (silent, usual): ([String], [[String]: Outcome]) = ([], [:])
        for sample in OptionSample.all where sample.reach == .everything || book.isOneOfFew {
            let without: Outcome
            if let known = usual[sample.others] {
                without = known
            } else {
                without = try run(sample.others)
                usual[sample.others] = without
                // Else every option would seem to do something.
                if try run(sample.others).files != without.files {
                    silent.append("\(book.name) to \(output) (\(sink)) differs from one run to the next")
                }
            }
            // If the options that it needs are rejected, the option cannot have an effect.
            guard without.status == 0 || without.status == 3 else { continue }
            let with = try run(sample.others + sample.arguments)
            if with.files != without.files, [0, 3].contains(with.status) { continue }
            // Pages of few pixels and two or four levels may stay the same; the summary then counts the change.
            if ["xtc", "xtch"].contains(sink), with.status == 0, with.lines != without.lines { continue }
            if [0, 3, 64].contains(with.status), isNamed(sample, in: with, insteadOf: without) { continue }
            let command = (sample.others + sample.arguments).joined(separator: " ")
            silent.append("\(book.name) to \(output) (\(sink)): \(command): \(with.status) \(with.lines.sorted())")
        }
        return silent
    }

    /// Whether a line names the option, or states that an option that it depends on had no effect.
    private func isNamed(_ sample: OptionSample, in outcome: Outcome, insteadOf usual: Outcome) -> Bool {
        let others = sample.others.filter { $0.hasPrefix("--") }
        // A warning of facts that have no place names them by the words that ComicInfo has for them.
        let names = [
            "--\(sample.option)", "lost: \(sample.option.prefix(1).uppercased())\(sample.option.dropFirst())",
        ]
        return outcome.lines.subtracting(usual.lines).contains { line in names.contains { line.contains($0) } }
            || outcome.lines.contains { line in others.contains { line.hasPrefix("\($0) did not apply") } }
    }

    private func run(_ options: [String]) throws -> Outcome {
        let place = try ScratchFolder(in: inputs.folder.path)
        let path = place(output)
        let arguments = [book.path, "-o", path, "--to", sink, "--isolate", "none", "-j", "1"] + options
        let outcome = try BuiltJisui.run(arguments, in: inputs.folder.path, temporary: place.path)
        let lines = outcome.errorText.split(separator: "\n").map(String.init)
        return Outcome(
            status: outcome.status, lines: Set(lines.map { $0.replacing(place.path, with: "") }),
            files: OptionInputs.files(in: place.path))
    }
}
