public import AdapterKit
internal import Glibc

/// A program beside which a card lies, in a folder of plug-ins.
public struct FoundPlugin: Sendable {
    /// What is to be said of it.
    public enum State: Sendable {
        case usable(PluginCard)
        /// A format of jisui's own, or a plug-in in an earlier folder, has its name; where that is.
        case shadowed(by: String)
        case refused(AdapterError)
    }

    /// "source-djvu": role and id, as the program's name has them.
    public let name: String
    /// The program's path.
    public let program: String
    public let state: State
}

/// The folders in which plug-ins are looked for, and what is in them. Nothing is run to find out.
public struct PluginFolders: Sendable {
    public let paths: [String]

    public init(_ paths: [String]) {
        self.paths = paths
    }

    /// Those that Plugins/PROTOCOL.md names. Never `PATH`, nor the current folder: a name without a slash in front is passed over.
    public static var standard: PluginFolders {
        func variable(_ name: String) -> String? {
            getenv(name).map { FileName.text(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let asked = (variable("JISUI_PLUGIN_PATH") ?? "").split(separator: ":").map(String.init)
        let system = ["/usr/local/lib/jisui/plugins", "/usr/lib/jisui/plugins"]
        let own = [installed].compactMap(\.self).filter { !system.contains($0) }
        return PluginFolders((asked + [personal].compactMap(\.self) + own + system).filter { $0.hasPrefix("/") })
    }

    /// The folder that `make install` puts plug-ins into, beside that of the program; nil for a program that is in no `bin`.
    private static var installed: String? {
        guard let program = FileName.resolved("/proc/self/exe") else { return nil }
        let folder = FileName.parent(of: program)
        return FileName.last(of: folder) == "bin" ? "\(FileName.parent(of: folder))/lib/jisui/plugins" : nil
    }

    /// The folder of the user's own plug-ins, be it there or not; nil for who has no home.
    public static var personal: String? {
        let data = getenv("XDG_DATA_HOME").map { FileName.text(of: $0) } ?? ""
        if data.hasPrefix("/") { return "\(data)/jisui/plugins" }
        let home = getenv("HOME").map { FileName.text(of: $0) } ?? ""
        return home.hasPrefix("/") ? "\(home)/.local/share/jisui/plugins" : nil
    }

    /// Every plug-in, in the order in which the folders are looked through, those of one folder by name.
    ///
    /// - Parameter builtIn: the ids of jisui's own adapters, by role.
    public func plugins(builtIn: [PluginCard.Role: Set<String>]) -> [FoundPlugin] {
        var taken: [String: String] = [:]
        for (role, ids) in builtIn { for id in ids { taken["\(role.rawValue)-\(id)"] = "jisui itself" } }
        var found: [FoundPlugin] = []
        for folder in paths where FileStatus.isFolder(folder) {
            let names = ((try? FolderListing.names(in: folder)) ?? []).compactMap(PluginFolders.plugin).sorted()
            for name in names {
                let program = "\(folder)/jisui-\(name)"
                let state: FoundPlugin.State
                if let other = taken[name] {
                    state = .shadowed(by: other)
                } else {
                    do throws(AdapterError) {
                        state = .usable(try PluginFolders.card(of: program, name: name))
                        taken[name] = program
                    } catch {
                        state = .refused(error)
                    }
                }
                found.append(FoundPlugin(name: name, program: program, state: state))
            }
        }
        return found
    }

    /// "source-djvu" of "jisui-source-djvu"; nil for the name of anything else.
    static func plugin(_ fileName: String) -> String? {
        fileName.wholeMatch(of: /jisui-((?:source|sink|transform)-[a-z][a-z0-9-]{0,31})/).map { String($0.1) }
    }

    /// The card of a program that may be trusted.
    ///
    /// - Throws: `.usage` when others could change it; what is wrong with the card.
    static func card(of program: String, name: String) throws(AdapterError) -> PluginCard {
        try Trust.check(program, isProgram: true)
        try Trust.check("\(program).json", isProgram: false)
        return try uncheckedCard(of: program, name: name)
    }

    /// The card of a program, whoever may have written it.
    static func uncheckedCard(of program: String, name: String) throws(AdapterError) -> PluginCard {
        let path = "\(program).json"
        do throws(AdapterError) {
            let file = try ReadableFile(path: path)
            let card = try PluginCard(parsing: try file.read(at: 0, upTo: PluginCard.mostBytes + 1))
            guard card.name == name else { throw PluginCard.fault("is that of '\(card.name)'") }
            return card
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }
}

/// Whether a program is safe to run: nobody but the user and root can have put it there or can change it.
///
/// The rule is that of OpenSSH's StrictModes: the file and every folder above it belong to the user or to root, and nobody else
/// may write to them.
enum Trust {
    /// - Throws: `.usage`, with what has to be mended.
    static func check(_ path: String, isProgram: Bool) throws(AdapterError) {
        guard let real = FileName.resolved(path), let status = FileStatus(of: real) else {
            throw .system(.unreadable, isProgram ? "cannot be opened" : "the plug-in's card is missing", file: path)
        }
        guard status.kind == .file else { throw AdapterError(.usage, "is no file", file: path) }
        guard !isProgram || status.mode & 0o111 != 0 else {
            throw AdapterError(.usage, "is no program", advice: "chmod +x makes it one", file: path)
        }
        var place = real
        var current = status
        var depth = 0
        while true {
            try check(place, current, isInnermost: depth < 2)
            if place == "/" { return }
            place = FileName.parent(of: place)
            depth += 1
            guard let next = FileStatus(of: place) else { throw .system(.unreadable, "cannot be seen", file: place) }
            current = next
        }
    }

    /// - Parameter isInnermost: whether it is the file itself, or the folder that it is in.
    private static func check(_ path: String, _ status: FileStatus, isInnermost: Bool) throws(AdapterError) {
        let users: Set<UInt32> = [0, geteuid()]
        guard users.contains(status.owner) else {
            throw AdapterError(
                .usage, "belongs to another user, who could put anything there", advice: "chown it to you or to root",
                file: path)
        }
        // In a folder that is sticky nobody can take away or replace what is another's.
        let isSticky = status.kind == .folder && status.mode & 0o1000 != 0 && !isInnermost
        guard status.mode & 0o022 == 0 || isSticky else {
            throw AdapterError(
                .usage, "can be written by other users", advice: "chmod go-w keeps them out", file: path)
        }
    }
}
