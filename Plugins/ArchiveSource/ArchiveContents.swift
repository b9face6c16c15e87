internal import AdapterKit
internal import ZipFile

/// What is in an archive, before anyone has decided which of it are pages.
struct ArchiveContents: Sendable {
    /// The files, in the archive's order.
    var entries: [Entry] = []
    /// The names of links, devices and the like.
    var oddities: [RawName] = []
    var warnings: [Warning] = []

    /// Notes why the archive could not be read to its end.
    ///
    /// - Throws: `breakage` when not one page was unpacked whole.
    mutating func note(_ breakage: AdapterError) throws(AdapterError) {
        guard entries.contains(where: { $0.role != .comicInfo && $0.content is SpooledMember }) else { throw breakage }
        let cause = breakage.cause.map { " (\($0))" } ?? ""
        warnings.append(
            Warning(
                code: "damaged-archive",
                message: "the archive is damaged: pages after the damage may be missing\(cause)",
                advice: breakage.advice ?? "copy or download it again if you can"))
    }

    /// - Throws: the fault of the first page when every page has one that is known by now.
    func requireAnyPage() throws(AdapterError) {
        let pages = entries.filter { $0.role == .picture || $0.role == .unclear && $0.content != nil }
        let faults = pages.compactMap { $0.content as? FaultyMember }
        guard faults.count == pages.count else { return }
        // A wrong password shows as damage where, by chance, it opens an entry.
        if let fault = faults.first(where: { $0.error.code == .encrypted }) ?? faults.first { throw fault.error }
    }
}
