package import Files
package import PageModel

/// A device whose storage is mounted as a folder.
package struct MountedDevice: Hashable, Sendable {
    /// The brand: "Kobo".
    package let name: String
    /// The mount point.
    package let root: String
    /// The folder for books.
    package let folder: String

    /// The folder in which it looks for the covers of books; nil for a brand that has none.
    package let coverFolder: String?

    /// The brands, by a file that only their devices have. A reMarkable is not a disk: it takes books over the network.
    private static let brands: [(name: String, marker: String, folder: String, covers: String?)] = [
        (name: "Kobo", marker: ".kobo/version", folder: "", covers: nil),
        (name: "Kindle", marker: "system/version.txt", folder: "documents", covers: "system/thumbnails"),
        (name: "PocketBook", marker: "system/explorer-3", folder: "", covers: nil),
    ]

    /// Returns the device that is mounted at a folder; nil for none.
    init?(at root: String) {
        let brand = MountedDevice.brands.first { FileStatus(of: "\(root)/\($0.marker)") != nil }
        guard let brand else { return nil }
        (name, self.root) = (brand.name, root)
        folder = brand.folder.isEmpty ? root : "\(root)/\(brand.folder)"
        let covers = brand.covers.map { "\(root)/\($0)" }
        coverFolder = covers.flatMap { FileStatus.isFolder($0) ? $0 : nil }
    }

    /// The folders in which it gets files.
    package var folders: [String] { [folder] + [coverFolder].compactMap { $0 } }

    /// Returns the only device that is mounted.
    ///
    /// - Parameter profile: the device for which books are made; nil for any.
    /// - Throws: `.usage` for none, or several.
    package static func mounted(_ profile: DeviceProfile?) throws(AdapterError) -> MountedDevice {
        let table = ReadableFile.systemFile("/proc/self/mounts", upTo: maximumTable) ?? []
        return try only(of: String(decoding: table, as: UTF8.self), profile)
    }

    /// Returns the only device in a table of mounts, as in fstab(5), that may be that of a profile.
    static func only(of table: String, _ profile: DeviceProfile? = nil) throws(AdapterError) -> MountedDevice {
        if let profile, profile.brand == "reMarkable" {
            throw AdapterError(
                .usage, "--to-device copies to disks, and a \(profile.name) is not a disk",
                hint: "remove --to-device, and send the book with the reMarkable app, or turn on the USB web interface "
                    + "in its settings and open http://10.11.99.1")
        }
        let brand = brands.first { $0.name == profile?.brand }?.name
        let found = places(in: table).compactMap(MountedDevice.init(at:)).filter { brand == nil || $0.name == brand }
        guard let first = found.first else {
            throw AdapterError(
                .usage, brand.map { "no \($0) is mounted" } ?? "no Kobo, Kindle or PocketBook is mounted",
                hint: "connect it, and open it in the file manager")
        }
        guard found.count == 1 else {
            throw AdapterError(
                .usage, "several devices are mounted: \(found.map(\.root).listed())", hint: "unmount all but one")
        }
        return first
    }

    /// Returns the mount points of disks, without network file systems, which may not answer.
    private static func places(in table: String) -> [String] {
        table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[0].hasPrefix("/dev/") else { return nil }
            // Spaces and the like are octal.
            return String(fields[1]).replacing(/\\([0-7]{3})/) { match in
                UInt8(match.1, radix: 8).map { String(UnicodeScalar($0)) } ?? String(match.0)
            }
        }.unique
    }

    /// Copies a book to the device. It appears there complete or not at all.
    ///
    /// - Returns: the path of the copy.
    /// - Throws: `.exists`; `.unwritable`, also if the device has too little space; `.unreadable`.
    package func copy(
        _ path: String, mayReplace: Bool, _ temporaryFiles: TemporaryFiles
    ) throws(AdapterError) -> String {
        if FileStatus.isFolder(path) {
            throw AdapterError(
                .usage, "a folder is not copied to a device", hint: "use --device, or another --to", file: path)
        }
        let file = try ReadableFile(path: path)
        if let free = Volume.freeBytes(in: folder), free < file.size {
            throw AdapterError(
                .unwritable, "the book has \(file.size / 1_000_000) MB, but only \(free / 1_000_000) MB are free",
                file: folder)
        }
        let place = "\(folder)/\(FileName.last(of: path))"
        let copy = try OutputFile(
            at: Destination(path: place, mayReplace: mayReplace, temporaryFiles: temporaryFiles))
        var offset = 0
        while offset < file.size {
            let count = min(MountedDevice.step, file.size - offset)
            try copy.write(try file.read(at: offset, exactly: count))
            offset += count
        }
        try copy.publish()
        return place
    }

    private static let (step, maximumTable) = (1 << 20, 1 << 20)
}
