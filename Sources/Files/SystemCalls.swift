internal import CLinux
internal import Glibc

// The system calls that take or return a path: the only place where paths become bytes, and bytes become paths.
//
// They have the same names as in C. In this module the compiler prefers these functions, which take a String, to
// Glibc's. Glibc's would get the String's own UTF-8, which is not the name: see `FileName.text(of:)`. Other modules use
// `FileStatus`, `FolderListing`, `ReadableFile` and the other types of this module, and never call such functions
// directly. C libraries that need a path get it from `FileName.withCString(of:)`. A test finds calls that bypass these
// functions.

func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
    FileName.withCString(of: path) { Glibc.open($0, flags, mode) }
}

func openat(_ folder: CInt, _ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
    FileName.withCString(of: path) { Glibc.openat(folder, $0, flags, mode) }
}

func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
    // With "Glibc." in front it would be the structure of the same name.
    FileName.withCString(of: path) { (path: UnsafePointer<CChar>) in stat(path, status) }
}

func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
    FileName.withCString(of: path) { Glibc.lstat($0, status) }
}

func faccessat(_ folder: CInt, _ path: String, _ mode: CInt, _ flags: CInt) -> CInt {
    FileName.withCString(of: path) { Glibc.faccessat(folder, $0, mode, flags) }
}

func mkdir(_ path: String, _ mode: mode_t) -> CInt {
    FileName.withCString(of: path) { Glibc.mkdir($0, mode) }
}

func mkdirat(_ folder: CInt, _ path: String, _ mode: mode_t) -> CInt {
    FileName.withCString(of: path) { Glibc.mkdirat(folder, $0, mode) }
}

@discardableResult
func rmdir(_ path: String) -> CInt {
    FileName.withCString(of: path) { Glibc.rmdir($0) }
}

@discardableResult
func unlink(_ path: String) -> CInt {
    FileName.withCString(of: path) { Glibc.unlink($0) }
}

@discardableResult
func unlinkat(_ folder: CInt, _ path: String, _ flags: CInt) -> CInt {
    FileName.withCString(of: path) { Glibc.unlinkat(folder, $0, flags) }
}

func linkat(_ oldFolder: CInt, _ old: String, _ newFolder: CInt, _ new: String, _ flags: CInt) -> CInt {
    FileName.withCString(of: old) { old in
        FileName.withCString(of: new) { Glibc.linkat(oldFolder, old, newFolder, $0, flags) }
    }
}

func renameat(_ oldFolder: CInt, _ old: String, _ newFolder: CInt, _ new: String) -> CInt {
    FileName.withCString(of: old) { old in
        FileName.withCString(of: new) { Glibc.renameat(oldFolder, old, newFolder, $0) }
    }
}

func linux_renameat2(_ oldFolder: CInt, _ old: String, _ newFolder: CInt, _ new: String, _ flags: CUnsignedInt) -> CInt
{
    FileName.withCString(of: old) { old in
        FileName.withCString(of: new) { CLinux.linux_renameat2(oldFolder, old, newFolder, $0, flags) }
    }
}

@discardableResult
func utimensat(_ folder: CInt, _ path: String, _ times: [timespec], _ flags: CInt) -> CInt {
    FileName.withCString(of: path) { Glibc.utimensat(folder, $0, times, flags) }
}

/// Returns the target that a symbolic link states; nil with `errno` set if the path is not a link.
func readlink(_ path: String) -> String? {
    // Linux's PATH_MAX: no longer target is possible.
    var target = [CChar](repeating: 0, count: 4096 + 1)
    let count = FileName.withCString(of: path) { Glibc.readlink($0, &target, target.count - 1) }
    return count < 0 ? nil : FileName.text(of: target)
}

/// Returns the path without links, "." and ".."; nil with `errno` set if nothing exists there.
func realpath(_ path: String) -> String? {
    guard let real = FileName.withCString(of: path, { Glibc.realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return FileName.text(of: real)
}

/// Returns every name in an open folder except "." and "..", with its `d_type`; nil with `errno` set when some cannot be
/// read.
///
/// A stream of the C library would need another descriptor, which a run that removes its output may not have.
func listEntries(_ folder: CInt) -> [(name: String, type: Int)]? {
    guard lseek(folder, 0, SEEK_SET) == 0 else { return nil }
    var found: [(name: String, type: Int)] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    while true {
        let count = linux_next_entries(folder, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return found }
        found += buffer.withUnsafeBytes { entryNames(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}

/// Returns the names that the system reports for an open folder, except "." and "..", each with its `d_type`
/// (getdents64(2)).
private func entryNames(_ entries: UnsafeRawBufferPointer) -> [(name: String, type: Int)] {
    let (lengthPlace, typePlace, namePlace) = (16, 18, 19)
    var found: [(name: String, type: Int)] = []
    var rest = entries[...]
    while rest.count > namePlace {
        let entry = UnsafeRawBufferPointer(rebasing: rest)
        let length = Int(entry.loadUnaligned(fromByteOffset: lengthPlace, as: UInt16.self))
        guard length > namePlace, length <= entry.count else { break }
        let name = FileName.text(of: entry[namePlace..<length].prefix { $0 != 0 })
        if name != "." && name != ".." { found.append((name, Int(entry[typePlace]))) }
        rest = rest.dropFirst(length)
    }
    return found
}

/// Returns the time for all new files, in seconds since 1970, from the environment
/// (<https://reproducible-builds.org/specs/source-date-epoch/>); nil if it is not set.
public func sourceDateEpoch() -> String? {
    Environment.path("SOURCE_DATE_EPOCH")
}
