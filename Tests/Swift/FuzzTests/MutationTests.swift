internal import Files
internal import Foundation
internal import Scratch
internal import Testing

/// Gives each target a few hundred inputs that are changed at random, in the build of the tests.
///
/// `make fuzz` finds more: it learns which changes reach new code. But it needs a build of its own.
@Suite struct MutationTests {
    private static let inputsOfATarget = 400

    /// JISUI_SEED gives other inputs than those that every run of the tests has.
    private static let seed = Program.environment["JISUI_SEED"].flatMap { UInt64($0) } ?? 1

    /// A target that does not keep its property ends the process. The log names the target, and the seed repeats it.
    @Test(arguments: FuzzTarget.all)
    func propertiesHoldForMutatedInputs(_ target: FuzzTarget) throws {
        let seeds = try Self.seeds(of: target)
        print("\(target.name): \(Self.inputsOfATarget) inputs from \(seeds.count) seeds, JISUI_SEED=\(Self.seed)")
        // A target that ends the process must not take this line with it.
        fflush(nil)
        var mutation = Mutation(words: target.words.map { Array($0.utf8) }, random: SplitMix(seed: Self.seed))
        for seed in seeds { target.run(seed) }
        for _ in 0..<Self.inputsOfATarget {
            target.run(mutation.input(from: seeds, maximumBytes: target.maximumBytes))
        }
        #expect(!seeds.isEmpty || target.endings.isEmpty, "no fixture of the target is small enough")
    }

    /// Returns what `make fuzz` begins with: small fixtures, earlier finds and inputs of the target itself.
    private static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
        let finds = "fuzz/\(target.name)/"
        let names = try FileManager.default.subpathsOfDirectory(atPath: BuiltJisui.fixtures).sorted()
        let fixtures = try names.compactMap { name -> [UInt8]? in
            guard name.hasPrefix(finds) || target.endings.contains((name as NSString).pathExtension) else { return nil }
            // Data(contentsOf:) leaks a buffer for an empty file.
            let file = try ReadableFile(path: "\(BuiltJisui.fixtures)/\(name)")
            return file.size <= target.maximumBytes ? try file.read(at: 0, exactly: file.size) : nil
        }
        return fixtures + target.inputs.map { Array($0.utf8) }
    }
}
