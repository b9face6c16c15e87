internal import AdapterKit

/// The values of settings with their origins: a recipe from each origin. A stronger origin overrides a weaker one.
package struct LayeredRecipe: Hashable, Sendable {
    /// The origin of a value, from the weakest to the strongest.
    package enum Origin: Int, CaseIterable, Sendable {
        /// The default of the setting, which has no other value.
        case standard
        /// A named set of values, such as those for a device.
        case preset
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
}
