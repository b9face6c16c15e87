internal import Scratch

/// Changes inputs at random, as fuzzers do: single bytes, numbers, words, and parts of other inputs.
struct Mutation {
    /// The words that a target gives to the fuzzer.
    let words: [[UInt8]]
    var random: SplitMix

    private static let maximumChanges = 6
    private static let maximumPart = 64
    /// Numbers at the ends of ranges, most significant byte first.
    private static let numbers: [[UInt8]] = [
        [0], [0x7F], [0x80], [0xFF], [0, 0], [0x7F, 0xFF], [0x80, 0], [0xFF, 0xFF], [0, 0, 0, 0],
        [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
    ]

    /// Returns a changed copy of one of the seeds.
    mutating func input(from seeds: [[UInt8]], maximumBytes: Int) -> [UInt8] {
        var input = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...Self.maximumChanges, using: &random) { change(&input, seeds) }
        return Array(input.prefix(maximumBytes))
    }

    private mutating func change(_ input: inout [UInt8], _ seeds: [[UInt8]]) {
        let part = self.part(of: input)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            guard let index = input.indices.randomElement(using: &random) else { return }
            input[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1:
            guard let index = input.indices.randomElement(using: &random) else { return }
            input[index] = .random(in: 0...255, using: &random)
        case 2: input.removeSubrange(part)
        case 3: input.insert(contentsOf: input[part], at: part.lowerBound)
        case 4: overwrite(&input, at: part.lowerBound, with: Self.numbers.randomElement(using: &random) ?? [])
        case 5: input.insert(contentsOf: words.randomElement(using: &random) ?? [], at: part.lowerBound)
        case 6: overwrite(&input, at: part.lowerBound, with: words.randomElement(using: &random) ?? [])
        default:
            let other = seeds.randomElement(using: &random) ?? []
            input.replaceSubrange(part, with: other[self.part(of: other)])
        }
    }

    private func overwrite(_ input: inout [UInt8], at start: Int, with bytes: [UInt8]) {
        input.replaceSubrange(start..<min(start + bytes.count, input.count), with: bytes)
    }

    /// Returns a random part, mostly a short one.
    private mutating func part(of input: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0...input.count, using: &random)
        let most = Bool.random(using: &random) ? Self.maximumPart : input.count
        return start..<min(start + Int.random(in: 0...most, using: &random), input.count)
    }
}
