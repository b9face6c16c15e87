internal import AdapterKit
package import Conversion
internal import Files
package import PageModel

/// The choice of a sink for an output's name.
extension Registry {
    /// Returns the sink for an output.
    ///
    /// - Parameters:
    ///   - output: the path, or "-" for standard output.
    ///   - id: the sink's id; nil if the name determines it.
    ///   - settings: the values of adapters' options.
    ///   - looksLikeFolder: whether the output is a folder or ends in a slash.
    /// - Throws: `.usage` if no sink fits, or if the name is that of another format.
    func sink(
        for output: String, _ id: String?, _ settings: [String: String], looksLikeFolder: Bool
    ) throws(AdapterError) -> any SinkAdapter {
        if let id {
            let sink = try writableSink(id)
            try refuseName(output, of: sink, settings, looksLikeFolder: looksLikeFolder)
            return sink
        }
        let ending = FileName.extension(of: output)
        if let known = sink(forExtension: ending), !looksLikeFolder { return known }
        if let asked = sinkOfSeveralFiles(settings), looksLikeFolder || ending.isEmpty { return asked }
        if looksLikeFolder { return try sink("folder") }
        if output == "-" {
            throw AdapterError(
                .usage, "no format is given for standard output", hint: "add \(streamedFormats)")
        }
        let endings = sinks.flatMap(\.descriptor.extensions).map { ".\($0)" }.joined(separator: ", ")
        if let reason = UnwrittenFormat.all[ending] { throw reason.error(file: output) }
        throw AdapterError(
            .usage, "no output format matches '\(output)'",
            hint: "end it in a slash for a folder of pages, or in \(endings), or add --to")
    }

    /// Returns the sink with an id.
    ///
    /// - Throws: `.usage`, with the reason if jisui does not write the format.
    func writableSink(_ id: String) throws(AdapterError) -> any SinkAdapter {
        if let reason = UnwrittenFormat.all[id.lowercased()] { throw reason.error(file: nil) }
        return try sink(id)
    }

    /// - Throws: `.usage` if the output would have the extension of another format.
    private func refuseName(
        _ output: String, of sink: any SinkAdapter, _ settings: [String: String], looksLikeFolder: Bool
    ) throws(AdapterError) {
        let ending = FileName.extension(of: output)
        // A folder may have any name, because it cannot be mistaken for a file.
        guard !looksLikeFolder, !sink.descriptor.extensions.contains(ending),
            let other = self.sink(forExtension: ending)
        else { return }
        let form = try sink.form(given: settings)
        let isFolder = form == .folder || form == .collection
        let (id, own) = (other.descriptor.id, sink.descriptor.extensions.first)
        guard own != nil || isFolder else { return }
        throw AdapterError(
            .usage, "--to \(sink.descriptor.id) does not write .\(ending) files",
            hint: own.map { "use --to \(id), or end the name in .\($0)" }
                ?? "use --to \(id), or end the name in a slash for a folder of that name",
            file: output)
    }

    /// Rejects an option of other sinks only, before the first book: every book would be refused because of it.
    ///
    /// - Parameter looksLikeFolder: whether the output is a folder, so that `--to` may change the format.
    /// - Throws: `.usage`.
    func refuseOptionsOfOthers(
        than sink: any SinkAdapter, _ settings: [String: String], looksLikeFolder: Bool
    ) throws(AdapterError) {
        let ofTransforms = transforms.flatMap(\.descriptor.settings)
        for name in try optionsOfOthers(than: sink, settings, ofTransforms).sorted() where settings[name] != nil {
            let owners = sinks.map(\.descriptor).filter { $0.settings.contains { $0.name == name } }.map(\.id)
            let formats = owners.map { "--to \($0)" }.listed(.or)
            throw AdapterError(
                .usage, "--\(name) is an option of \(owners.listed()), and the output is \(sink.descriptor.id)",
                hint: looksLikeFolder ? "use \(formats)" : nil)
        }
    }

    /// Returns the names of the options that only other sinks than one and those alongside it have.
    ///
    /// - Parameter ofTransforms: the options that have an effect in transforms.
    private func optionsOfOthers(
        than sink: any SinkAdapter, _ settings: [String: String], _ ofTransforms: [Setting]
    ) throws(AdapterError) -> Set<String> {
        let used = try [sink] + sinks(alongside: sink, sink.descriptor.values(given: settings))
        let known = (sources.map(\.descriptor) + used.map(\.descriptor)).flatMap(\.settings) + ofTransforms
        return Set(sinks.flatMap(\.descriptor.settings).map(\.name)).subtracting(known.map(\.name))
    }

    /// Returns the id of the format that the name of an output selects; nil if `--to` may select another.
    package func format(ofOutput output: String?) -> String? {
        guard let output, output != "-", !FileName.endsInSlash(output), !FileStatus.isFolder(output) else { return nil }
        return sink(forExtension: FileName.extension(of: output))?.descriptor.id
    }

    /// Returns the names of the options that have no effect on an output, because they belong to other formats.
    ///
    /// - Parameter id: the format; nil if the output's name selects it.
    package func optionsOfOtherFormats(
        than id: String?, output: String?, _ settings: [String: String]
    ) throws(AdapterError) -> Set<String> {
        guard id != nil || output != nil else { return [] }
        let isFolder = output.map { FileName.endsInSlash($0) || FileStatus.isFolder($0) } ?? false
        let found =
            if let id { try? writableSink(id) } else {
                try? sink(for: output ?? "", nil, settings, looksLikeFolder: isFolder)
            }
        guard let found else { return [] }
        return try optionsOfOthers(than: found, settings, transforms.flatMap { $0.settings(usedBy: settings) })
    }

    /// Returns the sink that makes several files because of the settings, but a single file without them.
    private func sinkOfSeveralFiles(_ settings: [String: String]) -> (any SinkAdapter)? {
        sinks.first { sink in
            sink.form(Settings()) != .folder && (try? sink.form(given: settings)) == .folder
        }
    }

    /// - Throws: `.usage` if the output is not a single file that can be written from start to end.
    func refuseStandardOutput(
        _ sink: any SinkAdapter, _ form: OutputForm, several: Bool
    ) throws(AdapterError) {
        if form == .folder || form == .collection {
            throw AdapterError(
                .usage, "a folder cannot be written to standard output",
                hint: "use \(streamedFormats) to write one file")
        }
        if form == .file {
            throw AdapterError(
                .usage,
                "\(sink.descriptor.id) cannot be written to standard output: its beginning is written last",
                hint: "write to a file, or use \(streamedFormats)")
        }
        if several {
            throw AdapterError(
                .usage, "several books cannot be written to standard output",
                hint: "use --combine to make one book of them")
        }
    }

    /// The options for outputs that support standard output: "--to cbz, --to cbt or --to strip".
    private var streamedFormats: Message {
        let ids = sinks.filter { $0.form(Settings()) == .stream }.map { "--to \($0.descriptor.id)" }
        return ids.listed(.or)
    }
}

extension PageTransform {
    /// Returns the settings that may have an effect with the given values. Shared ones need a pass that uses them.
    fileprivate func settings(usedBy given: [String: String]) -> [Setting] {
        let all = descriptor.settings
        guard let passes = try? self.passes(Settings(all, given: given)) else { return all }
        return all.filter { !Setting.shared.contains($0) } + passes.flatMap(\.sharedSettings)
    }
}
