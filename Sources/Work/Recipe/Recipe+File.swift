public import AdapterKit
internal import Files
internal import OrderedJSON
public import PageModel

/// The reading of recipe files.
extension Recipe {
    /// The number of bytes that are read: the maximum size of a recipe, and of the first line of a file of reports. The
    /// report of a book of thousands of pages is smaller.
    static let maximumBytes = 64 << 20

    /// Reads a recipe from a file: an object of settings, or a report that contains one.
    ///
    /// Of a file with the reports of several books it reads the first. The recipe is not checked.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - settings: all settings that a recipe may have. They decide what `true` means.
    /// - Throws: `.usage` if the file contains no recipe; `.unreadable`.
    public init(file path: String, _ settings: [Setting]) throws(AdapterError) {
        let file = try ReadableFile(path: path)
        let bytes = try file.read(at: 0, upTo: Recipe.maximumBytes)
        do {
            try self.init(contents: bytes, isWhole: bytes.count == file.size, settings)
        } catch {
            throw error.at(file: path)
        }
    }

    /// Reads a recipe from a file, and checks its values.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - settings: all settings that the recipe may have.
    ///   - isUnchecked: whether a setting need not be valid, because it is left out later.
    ///   - hint: returns a hint on a name that is not that of a setting.
    /// - Throws: `.usage` with the line of the fault; `.unreadable`.
    public static func checked(
        file path: String, _ settings: [Setting], except isUnchecked: (String) -> Bool = { _ in false },
        hint: (String) -> Message? = { _ in nil }
    ) throws(AdapterError) -> Recipe {
        let file = try ReadableFile(path: path)
        let bytes = try file.read(at: 0, upTo: Recipe.maximumBytes)
        return try checked(
            bytes, isWhole: bytes.count == file.size, file: path, settings, except: isUnchecked, hint: hint)
    }

    /// Reads a recipe from the contents of a file, and checks its values.
    static func checked(
        _ bytes: [UInt8], isWhole: Bool = true, file path: String, _ settings: [Setting],
        except isUnchecked: (String) -> Bool = { _ in false },
        hint: (String) -> Message? = { _ in nil }
    ) throws(AdapterError) -> Recipe {
        do {
            let recipe = try Recipe(contents: bytes, isWhole: isWhole, settings)
            try recipe.without(recipe.values.keys.filter(isUnchecked)).checkValues(settings, hint: hint)
            return recipe
        } catch {
            var named = error
            named.file = path
            // The first line may be one of many reports.
            let value = JSON(parsing: bytes) ?? JSON(parsing: Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
            guard let value else {
                if isWhole { named.file = JSONPlaces(of: bytes).file(path) }
                throw named
            }
            let inner = value["recipe"]?.members
            for (name, value) in inner ?? value.members ?? [] where !isUnchecked(name) {
                do throws(AdapterError) {
                    try Recipe(members: [(name, value)], settings).checkValues(settings, hint: hint)
                } catch {
                    named = error
                    named.file = JSONPlaces(of: bytes).file(path, inner == nil ? [name] : ["recipe", name])
                    throw named
                }
            }
            throw named
        }
    }

    /// Reads a recipe from the contents of a recipe file.
    ///
    /// - Parameters:
    ///   - bytes: the contents, or their beginning.
    ///   - isWhole: whether these are all bytes. The first report of a file needs only the first line.
    /// - Throws: `.usage` if they contain no recipe.
    init(contents bytes: [UInt8], isWhole: Bool = true, _ settings: [Setting]) throws(AdapterError) {
        // A file of reports has one in each line.
        let firstLine = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if firstLine.count < bytes.count, let line = JSON(parsing: Array(firstLine)), line.isReport {
            try self.init(line, settings)
            return
        }
        guard isWhole else { throw AdapterError(.usage, "the file is too large for a recipe or a report") }
        guard let value = JSON(parsing: bytes) else {
            throw AdapterError(.usage, "not a recipe: not JSON, or a name occurs twice")
        }
        try self.init(value, settings)
    }

    /// Reads a recipe or a report.
    private init(_ value: JSON, _ settings: [Setting]) throws(AdapterError) {
        guard let members = value.members else {
            throw AdapterError(.usage, "not a recipe: not a JSON object")
        }
        guard let recipe = value["recipe"]?.members else {
            if value.isReport {
                throw AdapterError(
                    .usage, "the report contains no recipe", hint: "it was made by an earlier version of jisui")
            }
            try self.init(members: members, settings)
            return
        }
        guard value.isReport || members.count == 1 else {
            throw AdapterError(
                .usage, "not a recipe: only a report has other keys next to 'recipe'",
                hint: "put all settings into one object")
        }
        try self.init(members: recipe, settings)
    }

    private init(members: [(key: String, value: JSON)], _ settings: [Setting]) throws(AdapterError) {
        let known = Dictionary(settings.map { ($0.name, $0) }) { first, _ in first }
        var values: [String: [String]] = [:]
        for (name, value) in members {
            let setting = known[name]
            values[name] = try (value.elements ?? [value]).map { value throws(AdapterError) in
                try Recipe.text(value, of: name, setting)
            }
            if values[name] == [] { throw Recipe.wrongType(of: name) }
        }
        self.init(values)
    }

    /// Returns the text of a value.
    ///
    /// - Parameter setting: the setting of that name; nil if no setting has it, which a later check reports.
    private static func text(
        _ value: JSON, of name: String, _ setting: Setting?
    ) throws(AdapterError) -> String {
        switch value {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .boolean(true):
            guard let setting, setting.kind != .flag else { return "true" }
            if let implied = setting.impliedValue { return implied }
            throw AdapterError(.usage, "--\(name) needs a value; 'true' is for options that can be given without one")
        case .null, .boolean, .number, .array, .object: throw wrongType(of: name)
        }
    }

    private static func wrongType(of name: String) -> AdapterError {
        AdapterError(.usage, "'\(name)' needs a text, a whole number, true, or a list of texts")
    }
}

extension JSON {
    /// Whether this is the report on a book.
    fileprivate var isReport: Bool { self["report"]?.asInteger != nil }
}
