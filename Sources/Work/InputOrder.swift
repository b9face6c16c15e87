public import AdapterKit
internal import Files
public import PageModel
internal import PageNames

/// The order of the inputs.
public enum InputOrder: String, CaseIterable, Sendable {
    /// The order of page names: 2 before 10, independent of the command line.
    case natural
    /// The order of the arguments.
    case given

    /// Inputs in their final order, and a note if that is not the order of the arguments.
    public struct Arrangement: Sendable {
        public let inputs: [String]
        public let note: Message?
        /// Whether a number moved, as in 2 before 10, and not only letters.
        public let movesNumbers: Bool

        /// The note for the reports on the books.
        public var warning: Warning? {
            note.map { Warning(code: "input-order", message: $0, isNote: true) }
        }
    }

    /// Sorts inputs. Without an order, it sorts naturally if the inputs seem to come from a glob.
    ///
    /// A glob sorts by characters, so that `vol*.cbz` gives volume 10 before volume 2. A person who types inputs in
    /// another order than that of a glob does so deliberately.
    ///
    /// - Parameters:
    ///   - typed: paths, and "-" for standard input.
    ///   - order: the requested order; nil for the usual one.
    public static func arrange(_ typed: [String], _ order: InputOrder?) -> Arrangement {
        // Standard input has no name to sort by.
        let isByName = order == .natural || order == nil && isSortedAsByGlob(typed) && !typed.contains("-")
        guard isByName else { return Arrangement(inputs: typed, note: nil, movesNumbers: false) }
        let places = PageOrder.sorted(Array(typed.indices)) { typed[$0] }
        let natural = places.map { typed[$0] }
        let moved = zip(places, places.dropFirst()).filter { $0 > $1 }.map { (typed[$0], typed[$1]) }
        let ofNumbers = moved.first { differInNumbers($0, $1) }
        guard order == nil, let (first, later) = ofNumbers ?? moved.first else {
            return Arrangement(inputs: natural, note: nil, movesNumbers: false)
        }
        return Arrangement(
            inputs: natural,
            note: "sorted the inputs in natural order, \(first) before \(later); use --order given to "
                + "keep the order of the arguments",
            movesNumbers: ofNumbers != nil)
    }

    /// Returns whether the first difference of two names is in a number.
    private static func differInNumbers(_ one: String, _ other: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return zip(one.utf8, other.utf8).first { lowercase($0) != lowercase($1) }
            .map { digits.contains($0) && digits.contains($1) } ?? false
    }

    /// Returns whether inputs are in the order of a shell's glob. It is the order of bytes, or in most locales that of
    /// letters regardless of case.
    private static func isSortedAsByGlob(_ typed: [String]) -> Bool {
        let names = typed.map { Array(FileName.bytes(of: $0)) }
        // One glob gives either absolute or relative paths.
        guard Set(names.map { $0.first == UInt8(ascii: "/") }).count == 1 else { return false }
        return isSorted(names) || isSorted(names.map { $0.map(lowercase) })
    }

    private static func isSorted(_ names: [[UInt8]]) -> Bool {
        zip(names, names.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
