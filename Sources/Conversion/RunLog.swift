internal import AdapterKit
internal import Files
internal import PageModel

/// The warnings and the notes of a run.
///
/// They are shown when the output has a page. If it gets none, its error contains the warnings as the reason.
final class RunLog {
    let observer: any RunObserver
    private let job: Job
    /// Shows a warning at once.
    let show: (Warning) -> Void
    private(set) var warnings: [Warning] = []
    private(set) var notes: [Warning] = []
    private var shown = (warnings: 0, notes: 0)

    /// - Parameter earlier: a log whose warnings and notes this one begins with.
    init(_ job: Job, _ observer: any RunObserver, after earlier: RunLog? = nil, show: @escaping (Warning) -> Void) {
        (self.job, self.observer, self.show) = (job, observer, show)
        if let earlier { for warning in earlier.warnings + earlier.notes { keep(warning) } }
    }

    /// - Throws: the warning as an error, with `--strict`.
    func check(_ warning: Warning) throws(AdapterError) {
        guard job.isStrict, !warning.isNote else { return }
        // A warning about a book made from several inputs names its file.
        let file = job.inputs.count == 1 ? job.inputs[0].name : nil
        let name = warning.page == nil ? nil : warning.subject
        let text: Message =
            switch (warning.cause, warning.code) {
            // Nothing is skipped: the run ends.
            case (let cause?, "page-skipped"): cause
            case (let cause?, _): "\(warning.message): \(cause)"
            case (nil, _): name == nil ? warning.explanation : warning.message
            }
        throw AdapterError(
            .damaged, text, hint: "remove --strict to continue with a warning", file: file,
            // A page that is the input itself has the name of the input.
            page: file.map(FileName.last) == name ? nil : name)
    }

    /// Adds a warning.
    ///
    /// - Throws: the warning as an error, with `--strict`.
    func note(_ warning: Warning) throws(AdapterError) {
        try check(warning)
        keep(warning)
    }

    private func keep(_ warning: Warning) {
        if warning.isNote { notes.append(warning) } else { warnings.append(warning) }
        observer.note(warning)
    }

    /// Adds the pages of a volume that the output has, with the warnings about it that are new.
    func add(_ volume: WrittenVolume, isOneOfSeveral: Bool) {
        let known = Set(warnings + notes)
        for warning in volume.log.warnings + volume.log.notes where !known.contains(warning) { keep(warning) }
        volume.log.observer.kept(volume, isOneOfSeveral: isOneOfSeveral)
    }

    /// Adds a warning, and shows it.
    ///
    /// - Throws: likewise.
    func warn(_ warning: Warning) throws(AdapterError) {
        try note(warning)
        show(warning)
    }

    /// Shows the warnings and notes since the last call.
    func showAdded() {
        for warning in warnings.dropFirst(shown.warnings) + notes.dropFirst(shown.notes) { show(warning) }
        shown = (warnings.count, notes.count)
    }
}
