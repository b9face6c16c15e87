/// The values of settings with their origins: a recipe from each origin. A stronger origin overrides a weaker one.
package struct LayeredRecipe: Hashable, Sendable {
    /// The origin of a value, from the weakest to the strongest.
    package enum Origin: Int, CaseIterable, Sendable {
        /// The default of the setting, which has no other value.
        case standard
        /// The user's file of defaults.
        case configuration
        /// The file next to the books.
        case folder
        /// A named set of values.
        case preset
        /// A device, given on the command line.
        case device
        /// A recipe file.
        case recipe
        case commandLine
    }

    private var layers: [Origin: Recipe]

    package init(_ layers: [Origin: Recipe] = [:]) {
        self.layers = layers
    }

    /// The values from one origin.
    package subscript(origin: Origin) -> Recipe {
        get { layers[origin] ?? Recipe() }
        set { layers[origin] = newValue }
    }

    /// Leaves settings out of all origins but one.
    package mutating func leaveOut(_ names: some Sequence<String>, except kept: [Origin] = [.commandLine]) {
        let names = Set(names)
        for origin in layers.keys where !kept.contains(origin) { layers[origin] = layers[origin]?.without(names) }
    }

    /// The values that count. Settings without a value have their default.
    package var merged: Recipe { Origin.allCases.reduce(Recipe()) { $0.overridden(by: self[$1]) } }

    /// Returns the origin of the value that counts.
    package func origin(of name: String) -> Origin {
        Origin.allCases.last { self[$0].values[name] != nil } ?? .standard
    }

    /// Returns the names of the settings whose values from an origin do not count, in alphabetical order.
    package func overridden(from origin: Origin) -> [String] {
        self[origin].values.keys.filter { self.origin(of: $0) != origin }.sorted()
    }

    /// Returns the same names by the origins of the values that count, from the weakest to the strongest.
    package func overriding(_ origin: Origin) -> [(origin: Origin, names: [String])] {
        let names = overridden(from: origin)
        return Origin.allCases.compactMap { stronger in
            let names = names.filter { self.origin(of: $0) == stronger }
            return names.isEmpty ? nil : (stronger, names)
        }
    }
}
