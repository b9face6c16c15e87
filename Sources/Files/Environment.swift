internal import Glibc

/// The variables of the environment.
public enum Environment {
    /// Returns the value of a variable that holds a path, or several; nil if it is not set.
    public static func path(_ name: String) -> String? {
        getenv(name).map { FileName.text(of: $0) }
    }

    /// Returns the value of a variable that holds a text; nil if it is not set or empty.
    public static func text(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
