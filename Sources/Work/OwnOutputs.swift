public import AdapterKit
internal import Conversion
internal import Files
internal import PageModel

/// The inputs next to which no output can be written: they are outputs of an earlier run, or would get themselves.
public struct OwnOutputs: Sendable {
    /// All these inputs.
    public internal(set) var paths: Set<String> = []
    /// The inputs among them that no other input makes, in order. The user may want them converted.
    public internal(set) var unmade: [String] = []
}

extension RecipeJobs {
    /// Finds the inputs that outputs next to the inputs would replace.
    ///
    /// - Throws: `.usage` for an invalid template of names; `CancellationError`.
    public func ownOutputs(_ target: Target, among inputs: [Input]) async throws -> OwnOutputs {
        let template = try recipe[.nameTemplate].map { text throws(AdapterError) in try NameTemplate(text) }
        var made: [FileIdentity: [String]] = [:]
        for input in inputs {
            try Task.checkCancellation()
            let stem = try await stem(of: input, target, template)
            let output = target.destination(for: input, stem: stem, mayReplace: false).path
            if let identity = FileIdentity(output) { made[identity, default: []].append(input.path) }
        }
        var found = OwnOutputs()
        for input in inputs {
            let makers = FileIdentity(input.path).flatMap { made[$0] } ?? []
            let isSuffixed = target.hasSuffix(input)
            guard isSuffixed || !makers.isEmpty else { continue }
            found.paths.insert(input.path)
            if !isSuffixed, makers == [input.path] { found.unmade.append(input.path) }
        }
        return found
    }

    /// Returns the name of an input's output by the template; nil for that of the input.
    private func stem(of input: Input, _ target: Target, _ template: NameTemplate?) async throws -> String? {
        guard let template else { return nil }
        var book: BookMetadata?
        if template.needsMetadata {
            // Opening books takes time. No other input can be an output.
            guard target.mayBeOutput(input) else { return nil }
            book = try? await Conversion(target.registry, job(for: input, target)).metadata()
            if book == nil { return nil }
        }
        if case .name(let stem) = target.name(for: input, template, book) { return stem }
        return nil
    }

    /// Returns the job of one input, with all that decides about its metadata.
    private func job(for input: Input, _ target: Target) throws(AdapterError) -> Job {
        let destination = target.destination(for: input, mayReplace: false)
        var job = Job(
            inputs: [input], sink: target.sink.descriptor.id, destination: destination, settings: target.settings)
        set(&job)
        job.isOneOfSeveral = true
        job.metadataOptions = try recipe.metadataOptions()
        return job
    }
}
