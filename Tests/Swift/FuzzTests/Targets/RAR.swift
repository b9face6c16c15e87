internal import AdapterKit
internal import Files

@testable import ArchiveSource

extension FuzzTarget {
    /// The headers of RAR 4 and 5.
    static let rarHeaders = FuzzTarget(
        name: "rar", endings: ["rar", "cbr"], inputs: ["Rar!\u{1A}\u{7}\u{0}", "Rar!\u{1A}\u{7}\u{1}\u{0}"],
        maximumBytes: 1024
    ) { input in
        withFile(input) { file in
            let members = RARHeaders(of: [file.path], limits: Limits(entries: 1000)).members
            require(members.allSatisfy { $0.size >= 0 }, "no member has less than no bytes")
            use((members.count, RARVolume.isOneOfSeveral(file.path)))
        }
    }
}
