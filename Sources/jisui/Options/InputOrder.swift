internal import AdapterKit
internal import ArgumentParser

/// The order in which inputs are taken.
enum InputOrder: String, CaseIterable, ExpressibleByArgument {
    /// That of page names: 2 before 10, wherever the inputs stand on the command line.
    case natural
    /// That of the arguments.
    case given

    /// Inputs in the order in which they are taken, and a line about it where that is not the order of the arguments.
    struct Arrangement {
        let inputs: [String]
        let note: String?
    }

    /// Inputs in an order; with none they are in natural order if they seem to come from a glob.
    ///
    /// A glob sorts by characters, so that `vol*.cbz` gives volume 10 before volume 2. A person who types inputs in
    /// another order than that of a glob means it.
    static func arrange(_ typed: [String], _ order: InputOrder?) -> Arrangement {
        // Standard input has no name to go by.
        let isByName = order == .natural || order == nil && isSortedAsByGlob(typed) && !typed.contains("-")
        guard isByName else { return Arrangement(inputs: typed, note: nil) }
        let natural = PageOrder.sorted(typed) { $0 }
        // By bytes: to the system an accented letter is another than a letter and its accent.
        let moved = zip(natural, typed).first { FileName.bytes(of: $0) != FileName.bytes(of: $1) }
        guard let (first, later) = moved else { return Arrangement(inputs: typed, note: nil) }
        return Arrangement(
            inputs: natural,
            note: order != nil
                ? nil
                : "took the inputs in natural order, \(first) before \(later); "
                    + "use --order given to keep the order of the arguments")
    }

    /// Whether inputs stand in the order of a shell's glob: that of bytes, or in most locales of letters in either case.
    private static func isSortedAsByGlob(_ typed: [String]) -> Bool {
        let names = typed.map { Array(FileName.bytes(of: $0)) }
        return isSorted(names) || isSorted(names.map { $0.map(lowercase) })
    }

    private static func isSorted(_ names: [[UInt8]]) -> Bool {
        zip(names, names.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
