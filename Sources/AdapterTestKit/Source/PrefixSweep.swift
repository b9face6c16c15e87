/// Which beginnings of a good file a source is shown, as if the rest had been lost.
public enum PrefixSweep: Hashable, Sendable {
    /// Every length of a small file, some 150 lengths of a larger one.
    case standard
    /// This many lengths, evenly spread.
    case spread(Int)

    /// Lengths shorter than `count`, longest first: the file can be cut down from one to the next.
    func lengths(of count: Int) -> [Int] {
        let wanted =
            switch self {
            case .standard: count <= 4096 ? count : 150
            case .spread(let number): min(number, count)
            }
        return (0..<wanted).reversed().map { $0 * count / wanted }
    }
}
