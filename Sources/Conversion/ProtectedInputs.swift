internal import AdapterKit
internal import Files
package import PageModel

extension Conversion {
    /// Rejects an output that would replace or change an input of the run.
    ///
    /// - Throws: `.usage`.
    func refuseInputs(_ destination: Destination, _ form: OutputForm) throws(AdapterError) {
        for inputs in [ProtectedInputs(job.inputs.map(\.path)), job.protected] { try inputs.refuse(destination, form) }
    }
}

/// The inputs of a run and the other files that it reads. No output may replace or change them, even if existing files may
/// be replaced.
///
/// They are resolved once for all books of a batch, so that the cost of checking an output does not depend on their number.
public struct ProtectedInputs: Sendable {
    /// The paths of the inputs and of the other files, by file identity.
    private var inputs: [FileIdentity: String] = [:]
    /// The identities of the other files.
    private var others: Set<FileIdentity> = []
    /// The path of an input in a folder, by the identity of the folder.
    private var folders: [FileIdentity: String] = [:]

    /// - Parameters:
    ///   - paths: the paths of the inputs.
    ///   - readFiles: the paths of other files, such as that of a recipe.
    public init(_ paths: some Sequence<String>, readFiles: [String] = []) {
        add(paths)
        let known = Set(inputs.keys)
        add(readFiles)
        others = Set(inputs.keys).subtracting(known)
    }

    private mutating func add(_ paths: some Sequence<String>) {
        for path in paths {
            let ancestors = FileIdentity.ancestors(of: path)
            // Standard input may be a pipe or a device, which needs no protection.
            guard let status = FileStatus(of: path), status.kind != .other else { continue }
            inputs[status.identity] = path
            for folder in ancestors.dropFirst() { folders[folder] = folders[folder] ?? path }
        }
    }

    /// Rejects an output that is an input, is inside one, or would replace a folder that contains one.
    ///
    /// - Throws: `.usage`.
    func refuse(_ destination: Destination, _ form: OutputForm) throws(AdapterError) {
        let path = destination.isStandardOutput ? StandardStreams.outputPath : destination.path
        let own = FileIdentity(path)
        if let own, let input = inputs[own] {
            guard others.contains(own) else { throw .ownOutput(input) }
            throw AdapterError(
                .usage, "the output would replace this file, which the run reads", hint: "give another name with -o",
                file: input)
        }
        if let input = FileIdentity.ancestors(of: path).lazy.compactMap({ inputs[$0] }).first {
            throw AdapterError(
                .usage, "the output \(path) would lie inside this input", hint: "give another place with -o",
                file: input)
        }
        if form == .folder || form == .collection, let own, let input = folders[own] {
            throw AdapterError(
                .usage, "lies inside the output folder \(path)", hint: "give another folder with -o", file: input)
        }
    }
}

extension AdapterError {
    /// The error for an output at the path of its input.
    package static func ownOutput(_ path: String) -> AdapterError {
        AdapterError(.usage, "the output is the input itself", hint: "give another name with -o", file: path)
    }
}
