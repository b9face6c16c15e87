internal import Files

/// Patterns for files below a folder, as in a .gitignore file and in ripgrep.
///
/// A pattern without a slash matches a name at any depth. One with a slash matches from the folder on. A slash at its end
/// restricts it to folders, and "**" stands for any number of folders.
public struct PathPatterns: Sendable {
    private struct Pattern: Sendable {
        let parts: [String]
        let isForFolders: Bool

        init(_ text: String) {
            isForFolders = FileName.endsInSlash(text)
            let parts = FileName.components(of: text)
            let isAnchored = parts.count > 1 || text.utf8.first == UInt8(ascii: "/")
            self.parts = isAnchored ? parts : ["**"] + parts
        }

        func matches(_ path: [String], isFolder: Bool) -> Bool {
            (isFolder || !isForFolders) && Pattern.matches(path[...], parts[...])
        }

        private static func matches(_ path: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
            guard let part = parts.first else { return path.isEmpty }
            if part == "**" {
                // At the end, it stands for everything inside the folder.
                if parts.count == 1 { return !path.isEmpty }
                return path.indices.contains { matches(path[$0...], parts.dropFirst()) }
            }
            guard let name = path.first, FileName.matches(name, pattern: part) else { return false }
            return matches(path.dropFirst(), parts.dropFirst())
        }
    }

    private let included: [Pattern]
    private let excluded: [Pattern]

    /// - Parameters:
    ///   - included: patterns; a book has to match one of them. Without patterns all books match.
    ///   - excluded: the patterns that no book may match.
    public init(including included: [String] = [], excluding excluded: [String] = []) {
        self.included = included.map(Pattern.init)
        self.excluded = excluded.map(Pattern.init)
    }

    /// Whether a file or folder is excluded.
    func excludes(_ path: [String], isFolder: Bool) -> Bool {
        excluded.contains { $0.matches(path, isFolder: isFolder) }
    }

    /// Whether a book is included, by its own path or that of a folder around it.
    func includes(_ path: [String], isFolder: Bool) -> Bool {
        if included.isEmpty { return true }
        return included.contains { pattern in
            path.indices.contains { end in
                pattern.matches(Array(path[...end]), isFolder: isFolder || end < path.count - 1)
            }
        }
    }
}
