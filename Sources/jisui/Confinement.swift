internal import ExternalAdapters
internal import Files
internal import Processes
internal import Work

/// A command that states in advance which files it will access.
protocol DeclaresFileAccess {
    var reach: FileAccess { get }
}

extension Convert: DeclaresFileAccess {
    var reach: FileAccess {
        let recipe = recipe
        let sideFiles = [result.report].compactMap { $0 } + recipe.sideFiles(Convert.settings).map(\.path)
        let others = [options.passwordFile].compactMap { $0 } + recipe.readFiles(Convert.settings)
        // Without `-o`, outputs are written next to the inputs.
        let outputs = result.output.map { [$0] } ?? inputs.map(FileName.parent)
        return FileAccess(
            inputs: inputs, readable: others, writable: outputs + sideFiles,
            isOpenToLibraries: options.rendersInProcess,
            mayStartPlugins: ExternalPlugins.found.mayTakePart(
                in: inputs, from: recipe[.from], to: recipe[.to], output: result.output,
                options: Set(recipe.values.keys)))
    }
}

extension Info: DeclaresFileAccess {
    var reach: FileAccess {
        FileAccess(
            inputs: inputs, readable: [options.passwordFile].compactMap { $0 },
            isOpenToLibraries: options.rendersInProcess,
            mayStartPlugins: ExternalPlugins.found.mayTakePart(
                in: inputs, from: source.recipe[.from], options: Set(adapters.recipe.values.keys)))
    }
}

extension Catalog: DeclaresFileAccess {
    var reach: FileAccess { FileAccess(writable: [shelf]) }
}

extension InputOptions {
    /// Whether libraries that read fonts work in this process.
    fileprivate var rendersInProcess: Bool { isolate == OwnWorkers.Scope.none.rawValue }
}
