/// The values of an adapter's settings for one run, checked against its card.
public struct Settings: Hashable, Sendable {
    private var values: [String: String] = [:]
    /// Those that were given, without defaults.
    public private(set) var given: [String: String] = [:]

    /// Settings with every value at its default.
    public init() {}

    /// Checks `given` against `settings`, which are those of one card; names that the card lacks are left out.
    ///
    /// - Throws: `.usage` with the objection to the first value that will not do.
    public init(_ settings: [Setting], given: [String: String]) throws(AdapterError) {
        for setting in settings {
            guard let value = given[setting.name] ?? setting.defaultValue else { continue }
            if let objection = setting.objection(to: value) {
                throw AdapterError(.usage, objection)
            }
            values[setting.name] = value
            self.given[setting.name] = given[setting.name]
        }
    }

    /// The text of a setting, if it was given or has a default.
    public subscript(name: String) -> String? { values[name] }

    /// The value of an integer setting, if it was given or has a default.
    public func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    /// Whether a flag was given.
    public func flag(_ name: String) -> Bool { values[name] == "true" }
}
