internal import Files
package import PageModel

/// The installation and removal of a user's own plug-ins.
package enum PluginInstallation {
    private static let maximumBytes = 1 << 30

    /// Copies a program and its manifest.
    ///
    /// - Parameter options: the names of jisui's own options, which those of a plug-in cannot have.
    /// - Returns: the manifest.
    /// - Throws: `.usage` for any other file; the manifest's error; `.exists`; `.unreadable`; `.unwritable`.
    package static func add(
        _ program: String, mayReplace: Bool, options: Set<String>
    ) throws(AdapterError) -> PluginManifest {
        let name = try PluginFolders.name(ofProgram: program)
        let manifest = try PluginFolders.uncheckedManifest(of: program, name: name)
        do throws(AdapterError) {
            try manifest.checkOptions(against: options)
        } catch {
            throw error.at(file: "\(program).json")
        }
        let folder = try makeFolder()
        let files = [(program, UInt32(0o755)), ("\(program).json", 0o644)]
        for (path, mode) in files {
            let file = try ReadableFile(path: path)
            guard file.size <= maximumBytes else {
                throw AdapterError(.tooLarge, "is too large for a plug-in", file: path)
            }
            let copy = try OutputFile(
                at: Destination(path: "\(folder)/\(FileName.last(of: path))", mayReplace: mayReplace))
            try copy.write(try file.read(at: 0, exactly: file.size))
            try copy.publish(mode: mode)
        }
        return manifest
    }

    /// Removes a program and its manifest.
    ///
    /// - Throws: `.usage` when this user has no plug-in of that name; `.unwritable`.
    package static func remove(_ name: String) throws(AdapterError) {
        guard let folder = PluginFolders.personal, PluginFolders.plugin("jisui-\(name)") != nil,
            FileStatus(of: "\(folder)/jisui-\(name)", followsLinks: false) != nil
        else {
            throw AdapterError(
                .usage, "no plug-in '\(name)' is installed for this user",
                hint: "run 'jisui plugin list' to list the plug-ins")
        }
        // The manifest first: a program without one is not a plug-in.
        for path in ["\(folder)/jisui-\(name).json", "\(folder)/jisui-\(name)"] { try Folder.removeFile(path) }
    }

    private static func makeFolder() throws(AdapterError) -> String {
        guard let folder = PluginFolders.personal else {
            throw AdapterError(.usage, "HOME is not set", hint: "set HOME")
        }
        var path = ""
        for part in FileName.components(of: folder) {
            path += "/\(part)"
            // If other users could write there, its contents would not be trusted.
            if !FileStatus.isFolder(path) { try Folder.make(path, mode: 0o755) }
        }
        return folder
    }
}
