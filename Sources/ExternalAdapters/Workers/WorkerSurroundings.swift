internal import AdapterKit
internal import Glibc

/// What a worker finds around it: what it draws must not depend on where it is drawn.
enum WorkerSurroundings {
    /// The variables that it gets as jisui has them: those that say where libraries and fonts are, where temporary files belong,
    /// and what tests ask for.
    private static let kept = [
        "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "FONTCONFIG_FILE",
        "FONTCONFIG_PATH",
        "LD_LIBRARY_PATH", "LD_PRELOAD", "TMPDIR", "JISUI_DEBUG", "JISUI_TEST_FAULTS",
        "ASAN_OPTIONS", "LSAN_OPTIONS",
    ]

    /// A crash is told by the process that is worked for, in a line.
    static let environment =
        kept.compactMap { name in variable(name).map { "\(name)=\($0)" } }
        + ["LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]

    /// Folders and files that fontconfig reads, besides those of the system (fonts-conf(5)).
    static let fonts = {
        let home = variable("HOME")
        func inHome(_ path: String) -> String? { home.map { "\($0)/\(path)" } }
        let folders = [
            variable("XDG_DATA_HOME").map { "\($0)/fonts" } ?? inHome(".local/share/fonts"),
            variable("XDG_CONFIG_HOME").map { "\($0)/fontconfig" } ?? inHome(".config/fontconfig"),
            variable("XDG_CACHE_HOME").map { "\($0)/fontconfig" } ?? inHome(".cache/fontconfig"),
            inHome(".fonts"), inHome(".fonts.conf"), variable("FONTCONFIG_FILE"), variable("FONTCONFIG_PATH"),
        ]
        return folders.compactMap { $0 }.filter { $0.hasPrefix("/") }
    }()

    private static func variable(_ name: String) -> String? {
        getenv(name).map { FileName.text(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
