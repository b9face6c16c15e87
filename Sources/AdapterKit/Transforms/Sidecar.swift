/// A file of decisions that a dry run writes, a person may change, and later runs follow.
public enum Sidecar {
    /// There is one, and it is to be followed.
    case follow(ReadableFile)
    /// Decisions are to be written.
    case write(OutputFile)

    /// A file of this kind is small.
    public static let mostBytes = 64 << 20

    /// - Parameters:
    ///   - contents: what it holds, for messages: "boxes".
    /// - Throws: `.unreadable` when there is none and this is no dry run, which would write it; `.tooLarge`.
    public init(path: String, of contents: String, _ request: TransformRequest) throws(AdapterError) {
        let isRenewed = request.isDryRun && request.mayReplace
        if !isRenewed, let file = try? ReadableFile(path: path) {
            guard file.size <= Sidecar.mostBytes else {
                throw AdapterError(.tooLarge, "is too large for a file of \(contents)", file: path)
            }
            self = .follow(file)
            return
        }
        guard request.isDryRun else {
            throw AdapterError(
                .unreadable, "there is no such file of \(contents)", advice: "--dry-run writes it", file: path)
        }
        self = .write(try OutputFile(at: Destination(path: path, mayReplace: request.mayReplace)))
    }

    /// Refuses a file that was made with other options than those that are given now: its decisions may be others.
    ///
    /// - Parameters:
    ///   - made: the options it was made with, by name.
    public static func compare(
        made: [String: String], given: [String: String], path: String
    ) throws(AdapterError) {
        guard made != given else { return }
        let options = made.sorted { $0.key < $1.key }.map {
            $0.value == "true" ? "--\($0.key)" : "--\($0.key) \($0.value)"
        }
        throw AdapterError(
            .usage, "was made with \(options.isEmpty ? "no options" : options.joined(separator: " "))",
            advice: "give the same options, or --dry-run --force to make it anew", file: path)
    }
}
