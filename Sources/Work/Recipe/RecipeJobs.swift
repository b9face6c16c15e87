public import AdapterKit
public import Conversion
public import Files
public import PageModel

/// The jobs that a recipe makes of inputs.
public struct RecipeJobs: Sendable {
    /// The recipe with the usual spelling of each value.
    public let recipe: Recipe
    /// The files and presets from which options come, by the names of the options. Errors name them.
    public var places: [String: String] = [:]
    private let settings: [Setting]
    private let selection: PageSelection?

    /// - Parameters:
    ///   - recipe: a recipe that was checked for these adapters.
    ///   - registry: the adapters.
    /// - Throws: `.usage` for an invalid list of pages; the error of a source that cannot be used.
    public init(_ recipe: Recipe, _ registry: Registry) throws(AdapterError) {
        settings = registry.recipeSettings
        self.recipe = recipe.canonical(settings)
        if let id = recipe[.from] { _ = try registry.source(id) }
        selection = try recipe[.pages].map { text throws(AdapterError) in try PageSelection(text) }
    }

    /// The recipe for reports: without secret values.
    public var reported: Recipe { recipe.withoutSecrets(settings) }

    /// Returns a job for each book: for each input, or one for all inputs that are combined.
    ///
    /// - Parameters:
    ///   - inputs: the inputs in their order.
    ///   - target: the target that was made of the recipe.
    ///   - mayReplace: whether existing outputs may be replaced.
    ///   - protected: the paths of inputs, which no output may replace.
    ///   - readFiles: the paths of files that no output may replace either, in addition to those that the recipe names.
    ///   - inputFolders: the folders among the inputs.
    ///   - configure: sets the values that are not in a recipe, such as the number of pages in work.
    /// - Throws: `.usage` for a setting that several books cannot share; an error of the metadata file or a destination.
    public func jobs(
        for inputs: [Input], to target: Target, mayReplace: Bool, protected: [String], readFiles: [String] = [],
        inputFolders: InputFolders, configure: (inout Job) -> Void = { _ in }
    ) throws(AdapterError) -> [Job] {
        let isCombined = recipe.has(.combine)
        if let setting = recipe.singleBookSetting, inputs.count > 1, !isCombined {
            throw singleBookError(setting.name, inputs.count)
        }
        let readFiles = readFiles + recipe.readFiles(settings)
        let metadataOptions = try recipe.metadataOptions()
        return try target.jobs(
            for: isCombined ? [inputs] : inputs.map { [$0] }, mayReplace: mayReplace,
            protected: ProtectedInputs(protected, readFiles: readFiles), inputFolders: inputFolders
        ) { job in
            set(&job)
            job.metadataOptions = metadataOptions
            if recipe[.order] != nil, inputs.count == 1 {
                job.unusedOptions.append(UnusedOption("order", "there is only one input"))
            }
            configure(&job)
        }
    }

    private func singleBookError(_ name: String, _ count: Int) -> AdapterError {
        let option = "--\(name)"
        let fault: Message = "\(option) is for one book, but the inputs are \(count) books"
        guard let place = places[name] else { return AdapterError(.usage, fault) }
        return AdapterError(
            .usage, "\(fault) (with the settings of \(place))", hint: "use --recipe-without \(name) to leave it out")
    }

    /// Sets the values that all books share.
    func set(_ job: inout Job) {
        job.source = recipe[.from]
        job.selection = selection
        job.targetSize = recipe[.targetSize].flatMap(ByteSize.init)?.bytes
        job.volumes = recipe[.splitVolumes].flatMap(VolumeSplit.init)
        job.direction = recipe[.direction].flatMap(Direction.init)
        job.encoding = recipe.encoding
        job.isLossless = recipe.has(.lossless)
        job.isStrict = recipe.has(.strict)
        job.limits = recipe.limits
        job.verifies = recipe.has(.verify)
        job.writesGuess = recipe.has(.guess)
    }
}

extension Recipe {
    /// The order of the inputs; nil for the usual one.
    public var order: InputOrder? { self[.order].flatMap(InputOrder.init) }

    /// Returns the files that a run with the recipe writes in addition to the output.
    ///
    /// - Parameter settings: the settings that may name such files.
    public func sideFiles(_ settings: [Setting]) -> [SideFile] {
        settings.filter { [.newFile, .keptFile].contains($0.kind) }.compactMap { setting in
            self[setting].map {
                SideFile(option: setting.name, path: $0, keepsWhatIsThere: setting.kind == .keptFile)
            }
        }
    }

    /// Returns the paths of the files that a run with the recipe reads in addition to the inputs.
    ///
    /// - Parameter settings: the settings that may name such files.
    public func readFiles(_ settings: [Setting]) -> [String] {
        settings.filter { $0.kind == .file }.compactMap { self[$0] }
    }
}

extension Target {
    /// Creates the target of a run with a recipe.
    ///
    /// - Parameters:
    ///   - registry: the adapters.
    ///   - output: a path, "-" for standard output, or nil to write outputs next to the inputs.
    ///   - recipe: a recipe that was checked for these adapters.
    ///   - inputs: the paths of the inputs, as they were typed.
    ///   - isQueue: whether each input has an output of its own in a folder, even if there is only one.
    ///   - temporaryFiles: the list of the program's temporary files.
    /// - Throws: `.usage` if the output does not determine its format, or cannot get several books; `.exists` if it is
    ///   a folder with other files.
    public init(
        _ registry: Registry, output: String?, _ recipe: Recipe, inputs: [String], isQueue: Bool = false,
        temporaryFiles: TemporaryFiles = TemporaryFiles()
    ) throws(AdapterError) {
        try self.init(
            registry, output: output, to: recipe[.to], settings: recipe.settings(of: registry.settings),
            format: recipe.encoding.format, inputs: inputs,
            several: isQueue || inputs.count > 1 && !recipe.has(.combine),
            temporaryFiles: temporaryFiles)
    }
}
