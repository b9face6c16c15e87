internal import AdapterKit
internal import Glibc

/// Puts in the values of options that may be given without one: argument-parser knows no such options.
struct ImpliedValues {
    private let values: [String: (implied: String, words: [String])]

    init(_ settings: [Setting]) {
        var values: [String: (implied: String, words: [String])] = [:]
        for setting in settings {
            guard let implied = setting.impliedValue, case .choice(let words) = setting.kind else { continue }
            values["--\(setting.name)"] = (implied, words)
        }
        self.values = values
    }

    /// The arguments with every such option followed by a value.
    ///
    /// What follows an option is its value when it is one of its words, and an input when it has a dot or a slash or is
    /// there. Anything else is left for its value, so that a slip of the keys is called one.
    ///
    /// - Parameter exists: whether there is a file or folder of that name.
    func completing(
        _ arguments: some Sequence<String>, exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> [String] {
        let arguments = Array(arguments)
        var result: [String] = []
        for (index, argument) in arguments.enumerated() {
            // Behind it there are only inputs.
            if argument == "--" { return result + arguments[index...] }
            result.append(argument)
            guard let (implied, words) = values[argument] else { continue }
            let next = index + 1 < arguments.count ? arguments[index + 1] : "-"
            let isInput = next.contains { $0 == "." || $0 == "/" } || exists(next)
            if next.hasPrefix("-") || !words.contains(next) && isInput { result.append(implied) }
        }
        return result
    }
}
