internal import ExternalAdapters
internal import Files
internal import Processes
internal import Work

/// The files that commands state in advance that they will access.
extension Convert {
    var reach: FileAccess? {
        let inputs = options.inputs
        let sideFiles = [report].compactMap { $0 } + queue.files + recipe.sideFiles(Convert.settings).map(\.path)
        let others = [options.passwordFile].compactMap { $0 } + recipe.readFiles(Convert.settings)
        // Without `-o`, outputs are written next to the inputs.
        let outputs = output.map { [$0] } ?? inputs.map(FileName.parent) + (queue.isRecursive ? inputs : [])
        return FileAccess(
            inputs: inputs, readable: others, writable: outputs + sideFiles + (reader?.folders ?? []),
            isOpenToLibraries: options.rendersInProcess,
            // The files in a folder are not known yet.
            mayStartPlugins: queue.isRecursive && !ExternalPlugins.found.plugins(.source).isEmpty
                || ExternalPlugins.found.mayTakePart(
                    in: inputs, from: recipe[.from], to: recipe[.to], output: output,
                    options: Set(recipe.values.keys))
        )
    }
}

extension Watch {
    var reach: FileAccess? {
        guard var reach = convert.reach else { return nil }
        // Sources are moved away from the folder.
        reach.writable += [folders.done, folders.failed].compactMap { $0 } + convert.options.inputs
        return reach
    }
}

extension Info {
    var reach: FileAccess? {
        FileAccess(
            inputs: options.inputs, readable: [options.passwordFile].compactMap { $0 },
            isOpenToLibraries: options.rendersInProcess,
            mayStartPlugins: ExternalPlugins.found.mayTakePart(
                in: options.inputs, from: recipe[.from], options: Set(recipe.values.keys)))
    }
}

extension Catalog {
    var reach: FileAccess? { FileAccess(writable: [shelf]) }
}

extension JournalReport {
    var reach: FileAccess? { FileAccess(inputs: paths) }
}

extension JournalFile {
    var reach: FileAccess? { FileAccess(inputs: paths, writable: [output]) }
}

extension Devices {
    var reach: FileAccess? { chart.map { FileAccess(inputs: Run.userFiles.reachable, writable: [$0]) } }
}
