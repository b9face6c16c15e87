internal import AdapterKit
internal import CProcess
internal import ExternalAdapters
internal import Glibc

/// The files that a command reads and writes, as its arguments name them.
struct FileReach {
    /// The paths of the inputs.
    var inputs: [String] = []
    /// Other files that are read.
    var readable: [String] = []
    /// Files and folders that are written, whether they are there yet or not.
    var writable: [String] = []
    /// Whether libraries at work in this process may read what they like, such as fonts.
    var isOpenToLibraries = false
}

/// A command that tells beforehand which files it will touch.
protocol KeepsToFiles {
    var reach: FileReach { get }
}

extension FileReach {
    /// Has the process touch nothing else, as far as the system can make sure of that.
    ///
    /// Where there are outside plug-ins nothing is forbidden: they are in bounds of their own, which may be wider, and a process that
    /// this one starts cannot leave those of its parent.
    ///
    /// To be called before there is a second thread.
    func keep() {
        guard OutsidePlugins.found.found.isEmpty else { return }
        let readsAnything = isOpenToLibraries || OwnWorkers.mayReadOtherFonts
        let readable = readable + OwnWorkers.foldersOfLibraries
        FileReach.withPointers(to: inputs.filter { $0 != "-" }) { inputs in
            FileReach.withPointers(to: readable) { readable in
                FileReach.withPointers(to: writable.filter { $0 != "-" }) { writable in
                    FileName.withCString(of: TemporaryFiles.folder) { temporary in
                        _ = sandbox_keep_to(readsAnything ? nil : inputs, readable, writable, temporary)
                    }
                }
            }
        }
    }

    /// Calls `body` with the paths as C has lists of texts, with null at their end.
    private static func withPointers(
        to paths: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Void
    ) {
        let copies = paths.map { FileName.withCString(of: $0) { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        pointers.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base) }
        }
    }
}

extension Convert: KeepsToFiles {
    var reach: FileReach {
        let sideFiles = [result.report].compactMap { $0 } + (transforms.sideFiles + formats.sideFiles).map(\.path)
        let others = [book.metadata, options.passwordFile].compactMap { $0 } + transforms.readFiles + formats.readFiles
        return FileReach(
            inputs: inputs, readable: others, writable: [result.output] + sideFiles,
            isOpenToLibraries: options.drawsHere)
    }
}

extension Info: KeepsToFiles {
    var reach: FileReach {
        FileReach(
            inputs: inputs, readable: [options.passwordFile].compactMap { $0 }, isOpenToLibraries: options.drawsHere)
    }
}

extension Catalog: KeepsToFiles {
    var reach: FileReach { FileReach(writable: [shelf]) }
}

extension InputOptions {
    /// Whether libraries that read fonts work in this process.
    fileprivate var drawsHere: Bool { isolate == OwnWorkers.Scope.none.rawValue }
}
