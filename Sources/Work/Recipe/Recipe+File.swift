internal import AdapterKit
internal import Files
internal import OrderedJSON
public import PageModel

/// The reading of recipe files.
extension Recipe {
    /// The maximum size of a recipe file in bytes. A report of a book of thousands of pages is smaller.
    private static let maximumBytes = 64 << 20

    /// Reads a recipe from a file: an object of settings, or a report that contains one.
    ///
    /// Of a file with the reports of several books it reads the first. The recipe is not checked.
    ///
    /// - Throws: `.usage` if the file contains no recipe; `.unreadable`.
    public init(file path: String) throws(AdapterError) {
        let file = try ReadableFile(path: path)
        guard file.size <= Recipe.maximumBytes else {
            throw AdapterError(.usage, "is too large for a recipe or a report", file: path)
        }
        let bytes = try file.read(at: 0, exactly: file.size)
        do {
            try self.init(contents: bytes)
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    /// Reads a recipe from the contents of a recipe file.
    ///
    /// - Throws: `.usage` if they contain no recipe.
    init(contents bytes: [UInt8]) throws(AdapterError) {
        guard let value = JSON(parsing: bytes) ?? Recipe.firstReport(of: bytes) else {
            throw AdapterError(.usage, "is not a recipe: it is not JSON, or contains a name twice")
        }
        guard let members = value.members else {
            throw AdapterError(.usage, "is not a recipe: it is not a JSON object")
        }
        guard value.isReport else {
            try self.init(members: members)
            return
        }
        guard let recipe = value["recipe"] else {
            throw AdapterError(
                .usage, "the report contains no recipe", hint: "reports of older versions of jisui have none")
        }
        guard let members = recipe.members else { throw AdapterError(.usage, "its recipe is not a JSON object") }
        try self.init(members: members)
    }

    /// Returns the first line of a file with a report in each line; nil for another file: nothing in it may be ignored.
    private static func firstReport(of bytes: [UInt8]) -> JSON? {
        let line = JSON(parsing: Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
        return line?.isReport == true ? line : nil
    }

    private init(members: [(key: String, value: JSON)]) throws(AdapterError) {
        var values: [String: [String]] = [:]
        for (name, value) in members {
            let texts = (value.elements ?? [value]).map(Recipe.text)
            guard !texts.isEmpty, !texts.contains(nil) else {
                throw AdapterError(.usage, "'\(name)' needs a text, a whole number, true, or a list of texts")
            }
            values[name] = texts.compactMap { $0 }
        }
        self.init(values)
    }

    /// Returns the text of a value; nil for a value that no setting can have.
    private static func text(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .boolean(true): "true"
        case .null, .boolean, .number, .array, .object: nil
        }
    }
}

extension JSON {
    /// Whether the value is a report: an object with the version of its format.
    fileprivate var isReport: Bool { self["report"]?.asInteger != nil }
}
