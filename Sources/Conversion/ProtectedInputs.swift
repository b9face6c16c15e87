internal import AdapterKit

/// The inputs of a run, which no output may touch: whatever may be replaced, what is read is not.
///
/// They are found once for all books of a batch, so that checking each output costs the same however many there are.
public struct ProtectedInputs: Sendable {
    /// An input's path by what it is.
    private var inputs: [FileIdentity: String] = [:]
    /// The path of one of the inputs that lie in a folder, by what that folder is.
    private var folders: [FileIdentity: String] = [:]

    public init(_ paths: some Sequence<String>) {
        for path in paths {
            let lineage = FileIdentity.lineage(of: path)
            // Standard input may be a pipe or a device, of which there is nothing to protect.
            guard let status = FileStatus(of: path), status.kind != .other else { continue }
            inputs[status.identity] = path
            for folder in lineage.dropFirst() { folders[folder] = folders[folder] ?? path }
        }
    }

    /// Refuses an output that is an input, lies inside one, or would take the place of a folder that one lies in.
    ///
    /// - Throws: `.usage`.
    func refuse(_ destination: Destination, _ form: OutputForm) throws(AdapterError) {
        let path = destination.isStandardOutput ? StandardStreams.outputPath : destination.path
        let own = FileIdentity(path)
        if let own, let input = inputs[own] {
            throw AdapterError(
                .usage, "the output is the input itself", advice: "give another name with -o", file: input)
        }
        if let input = FileIdentity.lineage(of: path).lazy.compactMap({ inputs[$0] }).first {
            throw AdapterError(
                .usage, "the output \(path) would lie inside this input", advice: "give another place with -o",
                file: input)
        }
        if form == .folder || form == .collection, let own, let input = folders[own] {
            throw AdapterError(
                .usage, "lies inside the output folder \(path)", advice: "give another folder with -o", file: input)
        }
    }
}
