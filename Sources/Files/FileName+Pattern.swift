internal import Glibc

extension FileName {
    /// Whether a name, which has no slash, matches a pattern of the shell: fnmatch(3).
    public static func matches(_ name: String, pattern: String) -> Bool {
        withCString(of: pattern) { pattern in
            withCString(of: name) { fnmatch(pattern, $0, 0) == 0 }
        }
    }
}
