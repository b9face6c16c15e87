internal import Files
internal import Glibc

/// The environment of a worker: its results must not depend on the place where it runs.
enum WorkerEnvironment {
    /// The variables that it inherits from jisui: those for the locations of libraries, fonts and temporary files.
    private static let kept: Set = [
        "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "FONTCONFIG_FILE",
        "FONTCONFIG_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS",
    ]

    /// Whether a variable is one of those, or one of jisui's own except the password.
    private static func isKept(_ name: Substring) -> Bool {
        kept.contains(String(name)) || name.hasPrefix("JISUI_") && name != "JISUI_PASSWORD"
    }

    /// The environment. The client reports a crash in one line, so a worker itself does not.
    static let environment = {
        var list = ["LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
        var entry = environ
        while let variable = entry.pointee {
            let text = FileName.text(of: variable)
            if isKept(text.prefix { $0 != "=" }) { list.append(text) }
            entry += 1
        }
        return list
    }()

    /// The folders and files that libraries read, in addition to those of the system (fonts-conf(5), ld.so(8)).
    static let folders =
        (ownFontFiles + [inHome(".local/share/fonts"), inHome(".cache/fontconfig"), inHome(".fonts")]
        + [variable("XDG_DATA_HOME").map { "\($0)/fonts" }, variable("XDG_CACHE_HOME").map { "\($0)/fontconfig" }]
        + (variable("LD_LIBRARY_PATH") ?? "").split(separator: ":").map { String($0) })
        .compactMap { $0 }.filter { $0.hasPrefix("/") }

    /// Whether the configuration of fontconfig names other places for fonts.
    static let hasOwnFonts = (ownFontFiles + ["/etc/fonts/local.conf"]).contains {
        $0.flatMap { FileStatus(of: $0) } != nil
    }

    /// The places of its configuration: variables with file and folder names, and fixed places.
    private static let ownFontFiles = [
        variable("FONTCONFIG_FILE"), variable("FONTCONFIG_PATH"), inHome(".fonts.conf"),
        variable("XDG_CONFIG_HOME").map { "\($0)/fontconfig" } ?? inHome(".config/fontconfig"),
    ]

    private static func inHome(_ path: String) -> String? { variable("HOME").map { "\($0)/\(path)" } }

    private static func variable(_ name: String) -> String? {
        Environment.path(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
