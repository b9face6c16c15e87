internal import Files

/// The files that have not changed for a while.
///
/// Only the own observation counts. The clock of a file server may differ, and copying programs set times of long ago.
struct SettledFiles {
    private struct Sighting {
        var stamp: FileStamp
        var since: ContinuousClock.Instant
    }

    private let time: Duration
    private var sightings: [String: Sighting] = [:]
    /// The paths that were asked about since the last call of `forgetOthers`.
    private var asked: Set<String> = []

    /// - Parameter time: the time after which a file that did not change is settled.
    init(after time: Duration) {
        self.time = time
    }

    /// Looks at a file or folder; returns its stamp and the time since its last change. Nil if nothing is there.
    mutating func look(at path: String, _ now: ContinuousClock.Instant) -> (stamp: FileStamp, age: Duration)? {
        asked.insert(path)
        guard let stamp = FileStamp(of: path) else {
            sightings[path] = nil
            return nil
        }
        if let known = sightings[path], known.stamp == stamp { return (stamp, now - known.since) }
        sightings[path] = Sighting(stamp: stamp, since: now)
        return (stamp, .zero)
    }

    /// Forgets the files that were not asked about. Returns the others.
    mutating func forgetOthers() -> Set<String> {
        defer { asked = [] }
        sightings = sightings.filter { asked.contains($0.key) }
        return asked
    }
}

/// The names that browsers, scanners and copying programs give to files until these are complete.
enum UnfinishedName {
    private static let extensions: Set = [
        "part", "partial", "crdownload", "opdownload", "download", "filepart", "tmp", "temp", "aria2", "!ut",
    ]

    /// Whether a file or folder will be renamed when it is complete. Names that begin with a dot are `JunkName`.
    static func matches(_ name: String) -> Bool {
        name.hasSuffix("~") || extensions.contains(FileName.extension(of: name))
    }

    /// Whether a program keeps the unfinished contents of a file next to it, as Firefox and aria2 do.
    static func isNext(to path: String) -> Bool {
        ["part", "aria2"].contains { FileStatus(of: "\(path).\($0)") != nil }
    }

    /// Whether a folder contains an unfinished file at any depth.
    ///
    /// - Parameter levels: the number of levels to search.
    static func isInside(_ folder: String, levels: Int = 8) -> Bool {
        guard levels > 0, let entries = try? FolderListing.entries(in: folder) else { return false }
        return entries.contains { name, isFolder in
            matches(name) || isFolder && isInside("\(folder)/\(name)", levels: levels - 1)
        }
    }
}
