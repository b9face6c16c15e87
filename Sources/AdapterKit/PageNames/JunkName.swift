/// Names of files that operating systems and servers leave in folders and archives, and that are no pages.
public enum JunkName {
    /// Whether a path names junk, by any of its components.
    public static func matches(_ path: String) -> Bool {
        path.split(separator: "/").contains { component in
            // `tar -c .` begins all its names with "./".
            if component == "." || component == ".." { return false }
            return component.hasPrefix(".") || component.hasPrefix("~$") || names.contains(component.lowercased())
        }
    }

    /// Hidden names (`._x`, `.DS_Store`, `.@__thumb`, `.yacreaderlibrary`) are junk by their dot.
    private static let names: Set<String> = [
        "__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "@eadir", "#recycle", "@recycle",
        "@recently-snapshot", "$recycle.bin", "lost+found",
    ]
}
