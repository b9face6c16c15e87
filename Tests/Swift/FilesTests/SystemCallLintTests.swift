internal import Files
internal import Scratch
internal import Testing

/// Only `Files` and `Processes` call the system. No call that takes a path bypasses `SystemCalls.swift`: it would get
/// another name where a name is not UTF-8, and only such a name would show it.
@Suite struct SystemCallLintTests {
    /// The functions of C that take or return a path.
    private static let functions = [
        "open", "openat", "creat", "fopen", "freopen", "stat", "lstat", "fstatat", "statx", "access", "faccessat",
        "mkdir",
        "mkdirat", "rmdir", "unlink", "unlinkat", "remove", "link", "linkat", "symlink", "symlinkat", "rename",
        "renameat",
        "renameat2", "linux_renameat2", "readlink", "readlinkat", "realpath", "canonicalize_file_name", "opendir",
        "readdir", "scandir", "chdir", "getcwd", "chmod", "chown", "lchown", "truncate", "utimensat", "mkfifo",
        "mkdtemp",
        "mkstemp", "mkostemp", "statvfs", "archive_read_open_filename", "archive_read_open_filenames",
        "archive_write_open_filename", "poppler_document_new_from_file",
    ]

    /// Calls that do no harm, and why.
    private static let allowed = [
        // No name of anybody's.
        #"open("/dev/null", O_WRONLY)"#,
        #"open("/tmp/jisui-test-fault-\(getpid())", O_CREAT"#,
        // `Folder.remove`.
        "remove($0, below: folder)",
    ]

    @Test func nothingPassesBy() throws {
        var checked = 0
        for root in ["Sources", "Plugins"] {
            for path in try files(below: root) {
                let text = String(decoding: try Files.read("\(BuiltJisui.repository)/\(path)"), as: UTF8.self)
                checked += 1
                for call in SystemCallLintTests.bypasses(in: text, path: path) { Issue.record("\(path): \(call)") }
            }
        }
        #expect(checked > 150)
    }

    /// The modules that import all of Glibc.
    private static let callers = ["Sources/Files/", "Sources/Processes/"]

    /// The functions and constants of C that other modules import, one by one. None of them calls the system.
    private static let harmless: Set<String> = [
        "EINVAL", "EIO", "ENOMEM", "SEEK_CUR", "SEEK_END", "atan2", "atanh", "cos", "exp", "hypot", "log", "log2",
        "memchr", "pow", "pthread_self", "pthread_t", "sin", "strnlen", "tan", "vsnprintf",
    ]

    @Test func onlyTwoModulesCallTheSystem() throws {
        for root in ["Sources", "Plugins"] {
            for path in try files(below: root) where !Self.callers.contains(where: path.hasPrefix) {
                let text = String(decoding: try Files.read("\(BuiltJisui.repository)/\(path)"), as: UTF8.self)
                for name in Self.foreignImports(in: text) { Issue.record("\(path) imports \(name)") }
            }
        }
    }

    @Test func importsOfTheSystemAreFound() {
        #expect(Self.foreignImports(in: "internal import Glibc\n") == ["Glibc"])
        #expect(Self.foreignImports(in: "import Files\ninternal import CLinux\n") == ["CLinux"])
        #expect(Self.foreignImports(in: "internal import func Glibc.open\n") == ["Glibc.open"])
        #expect(Self.foreignImports(in: "internal import func Glibc.sin\nimport CLinuxX\n").isEmpty)
    }

    /// The imports of a source that give it system calls.
    private static func foreignImports(in text: String) -> [String] {
        text.matches(of: /(?m)^(?:[a-z]+ )*import (?:[a-z]+ )?((?:Glibc|CLinux|CProcess)(?:\.(\w+))?)$/).filter {
            $0.2.map { !harmless.contains(String($0)) } ?? true
        }.map { String($0.1) }
    }

    /// The rule itself finds what it is for.
    @Test func bypassesAreFound() {
        let head = "internal import Glibc\n"
        let other = "Sources/Conversion/X.swift"
        #expect(Self.bypasses(in: head + "guard stat(path, &status) == 0 else {", path: other).count == 1)
        #expect(Self.bypasses(in: head + "let real = realpath(path, nil)", path: other).count == 1)
        #expect(Self.bypasses(in: head + "String(cString: entry.pointee.d_name)", path: other).count == 1)
        #expect(Self.bypasses(in: "for name in CommandLine.arguments {", path: other).count == 1)
        #expect(
            Self.bypasses(in: head + "let file = try open()\nfile.open(path)\nvar status = stat()", path: other).isEmpty
        )
        let own = "Sources/Files/X.swift"
        #expect(Self.bypasses(in: head + "open(path, O_RDONLY)", path: own).isEmpty)
        #expect(Self.bypasses(in: head + "Glibc.open(path, O_RDONLY)", path: own).count == 1)
        #expect(Self.bypasses(in: head + "chmod(path, 0o600)", path: own).count == 1)
    }

    /// The lines of a source that hand a path to the system past `SystemCalls.swift`.
    private static func bypasses(in text: String, path: String) -> [String] {
        let isBoundary = path == "Sources/Files/SystemCalls.swift"
        let isInFiles = path.hasPrefix("Sources/Files/")
        let seesC =
            text.contains("import Glibc") || text.contains("import Foundation") || text.contains("import CArchive")
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { line in
            if isBoundary || line.hasPrefix("//") || line.contains("func ") || allowed.contains(where: line.contains) {
                return false
            }
            if line.contains("CommandLine.arguments") || line.contains(".d_name") { return true }
            guard seesC else { return false }
            return line.matches(of: /(?:^|[^.\w])(Glibc\.|CLinux\.)?([a-z_0-9]+)\((?!\)|[a-z]+:)/).contains { match in
                let name = String(match.2)
                // In `Files` a name means its function for paths, unless C's is asked for by name.
                let isOwn = isInFiles && match.1 == nil && FileCalls.names.contains(name)
                return functions.contains(name) && !isOwn
            }
        }.map(String.init)
    }

    private func files(below folder: String) throws -> [String] {
        try FolderListing.entries(in: "\(BuiltJisui.repository)/\(folder)").flatMap { entry in
            let path = "\(folder)/\(entry.name)"
            return entry.isFolder ? try files(below: path) : path.hasSuffix(".swift") ? [path] : []
        }
    }
}

/// The functions that `SystemCalls.swift` has for the module `Files`.
private enum FileCalls {
    static let names: Set<String> = {
        let path = "\(BuiltJisui.repository)/Sources/Files/SystemCalls.swift"
        let text = (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Set(text.matches(of: /\nfunc ([A-Za-z_0-9]+)\(/).map { String($0.1) })
    }()
}
