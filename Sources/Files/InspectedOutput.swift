internal import Glibc
public import PageModel

/// The contents of a file or folder that another program wrote as an output, inspected before they are published.
public struct InspectedOutput: Hashable, Sendable {
    /// One file, folder or link.
    private struct Entry: Hashable {
        var type: UInt32
        var mode: UInt32
        var size: Int
        var inode: UInt
        var links: UInt
        /// The time of its last modification, in nanoseconds.
        var written: Int
        /// Whether it is a link whose target is in the folder.
        var staysInside = false
    }

    /// The entries by their paths in the folder. The path of the file, or of the folder itself, is empty.
    private var entries: [String: Entry] = [:]
    /// The maximum number of entries, more than any book has. It bounds the inspection.
    private static let maximumEntries = 2_000_000
    /// The maximum depth, more than any output has. Each level is a recursive call.
    private static let maximumDepth = 64

    /// - Parameter path: the path of the file or folder, or of an open descriptor.
    /// - Throws: `.unwritable`, `.tooLarge`; `.unreadable` when it cannot be inspected.
    public init(at path: String) throws(AdapterError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .system(.unwritable, "the output cannot be inspected", file: path)
        }
        entries[""] = InspectedOutput.entry(status)
        if status.st_mode & S_IFMT == S_IFDIR {
            guard let root = realpath(path) else {
                throw .system(.unwritable, "the output cannot be inspected", file: path)
            }
            try add(root, root, "", depth: 0)
        }
    }

    private static func entry(_ status: stat) -> Entry {
        Entry(
            type: status.st_mode & S_IFMT, mode: status.st_mode & 0o7777, size: Int(status.st_size),
            inode: UInt(status.st_ino), links: UInt(status.st_nlink),
            written: Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec))
    }

    private mutating func add(_ folder: String, _ root: String, _ prefix: String, depth: Int) throws(AdapterError) {
        for name in try FolderListing.names(in: folder) {
            guard entries.count < InspectedOutput.maximumEntries, depth < InspectedOutput.maximumDepth else {
                throw AdapterError(.tooLarge, "the output has too many files, or too many levels of folders")
            }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else {
                throw .system(.unwritable, "the output cannot be inspected", file: path)
            }
            var entry = InspectedOutput.entry(status)
            if entry.type == S_IFLNK {
                // An absolute target that is in the folder contains the folder's temporary name.
                entry.staysInside =
                    readlink(path)?.hasPrefix("/") == false
                    && realpath(path)?.hasPrefix(root + "/") == true
            }
            entries[prefix + name] = entry
            if entry.type == S_IFDIR { try add(path, root, prefix + name + "/", depth: depth + 1) }
        }
    }

    /// Whether the folder has a file at a path.
    public func hasFile(at place: String) -> Bool {
        guard let entry = entries[place] else { return false }
        return entry.type == S_IFREG || entry.type == S_IFLNK && entry.staysInside
    }

    /// The reason why the output is invalid, as a sentence fragment about the program; nil for a valid one.
    public var objection: Message? {
        // Standard output has already delivered its data.
        guard let top = entries[""], top.type == S_IFREG || top.type == S_IFDIR else { return nil }
        let names = Dictionary(grouping: entries.values.filter { $0.type == S_IFREG }, by: \.inode).mapValues(\.count)
        for (place, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let named = place.isEmpty ? "its output" : "'\(place)'"
            if place.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                return "left a name with control characters in its output"
            }
            switch entry.type {
            case S_IFREG:
                if entry.mode & (S_ISUID | S_ISGID) != 0 {
                    return "made \(named) a program that runs with another user's rights"
                }
                if !place.isEmpty, entry.links > UInt(names[entry.inode] ?? 0) {
                    return "left \(named), which is also a file outside its output"
                }
            case S_IFDIR:
                if entry.mode & S_ISUID != 0 { return "gave \(named) the rights of another user" }
            case S_IFLNK:
                if !entry.staysInside { return "left \(named), a link that leads out of its output" }
            default: return "left \(named), which is neither a file nor a folder"
            }
        }
        return entries.values.contains { $0.type == S_IFREG && $0.size > 0 } ? nil : "left an empty output"
    }
}
