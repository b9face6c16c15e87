internal import CLinux
internal import Glibc

// The system's calls that take or give a path: the only place where paths become bytes, and bytes paths.
//
// They bear the names that they have in C. In this room the compiler takes these, which want a String, before Glibc's, to
// which it would hand the String's own UTF-8: see `FileName.text(of:)` for why that is not the name. Other rooms use
// `FileStatus`, `FolderListing`, `ReadableFile` and the others that this room offers, and call no such function by
// themselves; a C library that wants a path gets it from `FileName.withCString(of:)`. A test finds the calls that pass by.

func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
    FileName.withCString(of: path) { Glibc.open($0, flags, mode) }
}

func openat(_ folder: CInt, _ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
    FileName.withCString(of: path) { Glibc.openat(folder, $0, flags, mode) }
}

func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
    // With "Glibc." in front it would be the structure of that name.
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

func opendir(_ path: String) -> OpaquePointer? {
    FileName.withCString(of: path) { Glibc.opendir($0) }
}

/// Where a symbolic link says that it leads; nil with `errno` set where there is none.
func readlink(_ path: String) -> String? {
    // PATH_MAX of Linux: no longer one can be made.
    var target = [CChar](repeating: 0, count: 4096 + 1)
    let count = FileName.withCString(of: path) { Glibc.readlink($0, &target, target.count - 1) }
    return count < 0 ? nil : FileName.text(of: target)
}

/// The path without links, "." and ".."; nil with `errno` set where nothing stands.
func realpath(_ path: String) -> String? {
    guard let real = FileName.withCString(of: path, { Glibc.realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return FileName.text(of: real)
}

/// The names that the system gave of an open folder, but for "." and "..", each with its `d_type` (getdents64(2)).
func entryNames(_ entries: UnsafeRawBufferPointer) -> [(name: String, type: Int)] {
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

/// The time that all files made are to bear, in seconds since 1970, as the environment says it
/// (<https://reproducible-builds.org/specs/source-date-epoch/>); nil where it does not.
public func sourceDateEpoch() -> String? {
    environmentPath("SOURCE_DATE_EPOCH")
}

/// The value of a variable of the environment that holds a path.
func environmentPath(_ name: String) -> String? {
    getenv(name).map { FileName.text(of: $0) }
}
