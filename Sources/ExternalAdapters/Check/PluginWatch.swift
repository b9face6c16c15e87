internal import AdapterTestKit
internal import Files
internal import PageModel
internal import Processes
internal import Synchronization

/// The observer of a plug-in's processes during a check.
///
/// The processes may also do two things that a run would refuse: change a copy of their input, and write temporary files
/// without permission.
final class PluginWatch: AdapterWatch, ProcessObserver {
    private let faults = Mutex<[AdapterFault]>([])
    /// The number of the newest process.
    private let process = Mutex<Int?>(nil)
    /// The environment variable by which the check finds processes that the plug-in started and left running.
    let variable = "JISUI_CHECK=jisui-check-\(UInt64.random(in: 0...UInt64.max))"
    /// The folder into which the plug-in must not write.
    private let decoy: WorkFolder?
    /// The folder of the copied inputs.
    let inputs: WorkFolder?

    init(_ temporaryFiles: TemporaryFiles) {
        decoy = try? WorkFolder(temporaryFiles)
        inputs = try? WorkFolder(temporaryFiles)
    }

    /// Returns the input of a process that is watched.
    func watched(_ work: Plugin.ProcessInput, _ manifest: PluginManifest) -> Plugin.ProcessInput {
        var watched = work
        watched.variables.append(variable)
        if !manifest.needs.contains(.scratch) { watched.scratch = decoy }
        if let inputs, work.input?.hasPrefix(inputs.path + "/") == true { watched.writable.append(inputs.path) }
        return watched
    }

    /// The names of the files in the folder into which the plug-in must not write.
    var strayFiles: [String] {
        (decoy.flatMap { try? FolderListing.names(in: $0.path) } ?? []).filter { $0 != WorkFolder.mark }.sorted()
    }

    func started(_ number: Int) { process.withLock { $0 = number } }

    func failed(_ error: any Error) {
        switch error {
        case PluginProcess.Fault.cancelled: break
        case let fault as PluginProcess.Fault:
            guard let error = fault.error(for: "it") as? AdapterError else { return }
            let isViolation = if case .protocolViolation = fault { true } else { false }
            add(isViolation ? .excusedByDamage : .final, error.message.english)
        case let error as AdapterError where error.isOwn:
            add(.excusedByDamage, "it does not refuse it by itself: \(error.message)")
        default: break
        }
    }

    func remarked(_ what: String) { add(.ordinary, "it \(what)") }

    func ended(_ status: CInt?, printed: Int) {
        if printed >= 1 << 20 { add(.ordinary, "it prints more than a megabyte") }
        guard let status else { return add(.final, "it does not end when its socket is closed") }
        if status != 0 {
            add(.ordinary, "it ends with \(PluginWatch.description(of: status)) when its socket is closed, not with 0")
        }
    }

    static func description(of status: CInt) -> String {
        status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    }

    private func add(_ severity: AdapterFault.Severity, _ message: String) {
        faults.withLock { $0.append(AdapterFault(severity, message)) }
    }

    func newFaults() -> [AdapterFault] { faults.withLock { exchange(&$0, with: []) } }

    var usage: (memory: Int, files: Int)? {
        guard let number = process.withLock({ $0 }),
            let files = try? FolderListing.names(in: "/proc/\(number)/fd").count,
            let memory = ReadableFile.systemFile("/proc/\(number)/statm", upTo: 256)
        else { return nil }
        let pages = String(decoding: memory, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return ((pages ?? 0) * CurrentProcess.memoryPageBytes, files)
    }
}
