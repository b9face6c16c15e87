internal import Files
package import PageModel

/// A program with a manifest next to it, in a folder of plug-ins.
package struct FoundPlugin: Sendable {
    /// The status of the plug-in.
    package enum State: Sendable {
        case usable(PluginManifest)
        /// Hidden by a format of jisui's own, or by a plug-in in an earlier folder at this path, with the same name.
        case shadowed(by: String)
        case refused(AdapterError)
    }

    /// The name "source-djvu": role and id, as in the program's name.
    package let name: String
    /// The path of the program.
    package let program: String
    package let state: State
}

/// The folders of plug-ins and their contents. Listing them runs no program.
package struct PluginFolders: Sendable {
    package let paths: [String]

    package init(_ paths: [String]) {
        self.paths = paths
    }

    /// The folders that docs/dev/plugin-protocol.md names. They never include `PATH` or the current folder: a relative
    /// name is ignored.
    package static var standard: PluginFolders {
        func variable(_ name: String) -> String? {
            Environment.path(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let asked = (variable("JISUI_PLUGIN_PATH") ?? "").split(separator: ":").map(String.init)
        let system = ["/usr/local/lib/jisui/plugins", "/usr/lib/jisui/plugins"]
        let own = [installed].compactMap(\.self).filter { !system.contains($0) }
        return PluginFolders((asked + [personal].compactMap(\.self) + own + system).filter { $0.hasPrefix("/") })
    }

    /// The folder into which `make install` and `make build` put plug-ins: next to that of the program for a program in a
    /// `bin`, otherwise in it.
    private static var installed: String? {
        guard let program = FileName.resolved("/proc/self/exe") else { return nil }
        let folder = FileName.parent(of: program)
        return FileName.last(of: folder) == "bin"
            ? "\(FileName.parent(of: folder))/lib/jisui/plugins" : "\(folder)/plugins"
    }

    /// The folder of the user's own plug-ins, which may not exist; nil for a user without a home folder.
    package static var personal: String? {
        let data = Environment.path("XDG_DATA_HOME") ?? ""
        if data.hasPrefix("/") { return "\(data)/jisui/plugins" }
        let home = Environment.path("HOME") ?? ""
        return home.hasPrefix("/") ? "\(home)/.local/share/jisui/plugins" : nil
    }

    /// Returns every plug-in. They are in the order of the folders, then by name.
    ///
    /// - Parameters:
    ///   - builtIn: the ids of jisui's own adapters, by role.
    ///   - options: the names of jisui's own options, which those of a plug-in cannot have.
    package func plugins(
        builtIn: [PluginManifest.Role: Set<String>], options: Set<String> = []
    ) -> [FoundPlugin] {
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
                        let manifest = try PluginFolders.manifest(of: program, name: name)
                        try manifest.checkOptions(against: options)
                        state = .usable(manifest)
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

    /// Returns "source-djvu" for "jisui-source-djvu"; nil for any other name.
    static func plugin(_ fileName: String) -> String? {
        fileName.wholeMatch(of: /jisui-((?:source|sink|transform)-[a-z][a-z0-9-]{0,31})/).map { String($0.1) }
    }

    /// Returns the plug-in's name for a program that the user gave.
    ///
    /// - Throws: `.unreadable` without such a file; `.usage` for the name of no plug-in.
    static func name(ofProgram path: String) throws(AdapterError) -> String {
        guard FileStatus(of: path) != nil else { throw .system(.unreadable, "cannot be opened", file: path) }
        guard let name = plugin(FileName.last(of: path)) else {
            throw AdapterError(
                .usage, "is not called jisui-source-ID, jisui-sink-ID or jisui-transform-ID", file: path)
        }
        return name
    }

    /// Returns the manifest of a trusted program.
    ///
    /// - Throws: `.usage` when other users could change it; the error of the manifest.
    static func manifest(of program: String, name: String) throws(AdapterError) -> PluginManifest {
        try OwnershipCheck.check(program, isProgram: true)
        try OwnershipCheck.check("\(program).json", isProgram: false)
        return try uncheckedManifest(of: program, name: name)
    }

    /// Returns the manifest of a program, trusted or not.
    static func uncheckedManifest(of program: String, name: String) throws(AdapterError) -> PluginManifest {
        let path = "\(program).json"
        do throws(AdapterError) {
            let file = try ReadableFile(path: path)
            let manifest = try PluginManifest(parsing: try file.read(at: 0, upTo: PluginManifest.maximumBytes + 1))
            guard manifest.name == name else { throw PluginManifest.fault("is for the plug-in '\(manifest.name)'") }
            return manifest
        } catch {
            throw error.at(file: path)
        }
    }
}

/// The check that a program is safe to run: only the user and root can have put it there or can change it.
///
/// The rule is that of OpenSSH's StrictModes. The file and every folder above it must belong to the user or to root.
/// Other users must not have permission to write to them.
enum OwnershipCheck {
    /// - Throws: `.usage`, with the ownership or permission to correct.
    static func check(_ path: String, isProgram: Bool) throws(AdapterError) {
        guard let real = FileName.resolved(path), let status = FileStatus(of: real) else {
            throw .system(.unreadable, isProgram ? "cannot be opened" : "the plug-in's manifest is missing", file: path)
        }
        guard status.kind == .file else { throw AdapterError(.usage, "not a file", file: path) }
        guard !isProgram || status.mode & 0o111 != 0 else {
            throw AdapterError(
                .usage, "not an executable program", hint: "use chmod +x to make it executable", file: path)
        }
        var place = real
        var current = status
        var depth = 0
        while true {
            try check(place, current, isInnermost: depth < 2)
            if place == "/" { return }
            place = FileName.parent(of: place)
            depth += 1
            guard let next = FileStatus(of: place) else {
                throw .system(.unreadable, "cannot be accessed", file: place)
            }
            current = next
        }
    }

    /// - Parameter isInnermost: whether it is the file itself, or its folder.
    private static func check(_ path: String, _ status: FileStatus, isInnermost: Bool) throws(AdapterError) {
        let users: Set<UInt32> = [0, FileStatus.currentUser]
        guard users.contains(status.owner) else {
            throw AdapterError(
                .usage, "belongs to another user, who could change its contents", hint: "chown it to you or to root",
                file: path)
        }
        // In a sticky folder, users cannot remove or replace the files of others.
        let isSticky = status.kind == .folder && status.mode & 0o1000 != 0 && !isInnermost
        guard status.mode & 0o022 == 0 || isSticky else {
            throw AdapterError(
                .usage, "can be written by other users", hint: "use chmod go-w to prevent this", file: path)
        }
    }
}
