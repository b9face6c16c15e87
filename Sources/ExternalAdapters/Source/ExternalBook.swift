internal import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Processes
internal import Synchronization

/// A book that a plug-in has open, in one process for each concurrent task.
final class ExternalBook: Sendable {
    private let opener: BookOpener
    private let workers: PluginWorkerPool

    /// - Throws: `.unreadable`, `.unwritable`.
    init(_ plugin: Plugin, _ input: Input, _ settings: Settings, _ limits: Limits) throws(AdapterError) {
        let opener = try BookOpener(plugin, input, settings, limits)
        let crashes = CrashCounter(observer: plugin.watch)
        self.opener = opener
        workers = PluginWorkerPool(maximum: plugin.manifest.workerCount) {
            PluginWorker(plugin.name, crashes) { isCancelled in try opener.start(isCancelled: isCancelled) }
        }
    }

    /// - Throws: `AdapterError`; `CancellationError`.
    func opened() async throws -> OpenedBook {
        try await workers.perform { _ in }
        guard let listing = opener.listing else {
            preconditionFailure("a process that was started has listed the book")
        }
        let pages = listing.pages.map { entry in
            var page = Page(id: entry.id, name: entry.name, label: entry.label, side: entry.side) {
                try await self.examine(entry)
            }
            if entry.isCover { page.roles = [.frontCover] }
            page.text = { try await self.text(of: entry) }
            page.links = { try await self.links(of: entry) }
            return page
        }
        var opened = OpenedBook(
            sequence: PageSequence(book: listing.book, pages: pages), warnings: listing.warnings,
            skipped: listing.skipped)
        // A plug-in does not report whether it used the password.
        let effects = OptionEvidence()
        if opener.input.password != nil { effects.note(.decrypted) }
        opened.effects = [effects]
        return opened
    }

    // MARK: One page

    private func examine(_ entry: BookListing.Entry) async throws -> Picture {
        try await communicate(about: entry) { [opener] process in
            let answer = try process.request("examine", entry.id, seconds: opener.seconds)
            return try ExternalPicture(answer, entry.id, opener, process).picture { method, request in
                try await self.give(entry, method, request)
            }
        }
    }

    /// Requests a page's image in one of its representations.
    private func give(_ entry: BookListing.Entry, _ method: Int, _ request: RenderingRequest?) async throws
        -> GivenPicture
    {
        try await communicate(about: entry) { [opener] process in
            try GivenPicture(entry.id, method: method, request, opener, process)
        }
    }

    private func text(of entry: BookListing.Entry) async throws -> [TextLine] {
        try await communicate(about: entry) { [opener] process in
            try PluginText.lines(process, ["ask": "text", "id": .integer(entry.id)], seconds: opener.seconds)
        }
    }

    private func links(of entry: BookListing.Entry) async throws -> [PageLink] {
        try await communicate(about: entry) { [opener] process in
            try PluginText.links(process, ["ask": "links", "id": .integer(entry.id)], seconds: opener.seconds)
        }
    }

    /// Sends a request; errors name the page.
    private func communicate<Value: Sendable>(
        about entry: BookListing.Entry, _ body: @escaping @Sendable (PluginProcess) throws -> Value
    ) async throws -> Value {
        do {
            return try await workers.perform(on: entry.id, body)
        } catch let error as AdapterError {
            throw error.at(file: error.file ?? opener.input.name, page: entry.name)
        }
    }
}

/// The startup data and first requests of every process of a book.
final class BookOpener: Sendable {
    let plugin: Plugin
    let input: Input
    let limits: Limits
    private let settings: Settings
    /// The input, for data that the plug-in locates by its offset.
    let file: ReadableFile
    private let work: Plugin.ProcessInput
    private let listed = Mutex<BookListing?>(nil)

    init(_ plugin: Plugin, _ input: Input, _ settings: Settings, _ limits: Limits) throws(AdapterError) {
        (self.plugin, self.input, self.settings, self.limits) = (plugin, input, settings, limits)
        file = try ReadableFile(path: input.path)
        var work = Plugin.ProcessInput(settings: settings, limits: limits, input: input.path)
        // One folder for all processes, which exists until the last of them has ended.
        if plugin.manifest.needs.contains(.scratch) { work.scratch = try WorkFolder(plugin.temporaryFiles) }
        self.work = work
    }

    /// The listing of the first process; nil before it.
    var listing: BookListing? { listed.withLock { $0 } }

    /// The time limit for one page.
    var seconds: Int { settings.integer(Setting.pageTimeout.name) ?? AnswerTime.page }
    /// The rendering resolution in pixels per inch; nil for the least lossy one.
    var resolution: Double? { settings.integer(Setting.dpi.name).map(Double.init) }

    /// Starts a process that has the book open.
    ///
    /// - Throws: `AdapterError`; `PluginProcess.Fault`, also when it lists other pages than the first process.
    func start(isCancelled: @escaping @Sendable () -> Bool) throws -> sending PluginProcess {
        // Opened separately, so that each process has its own read position.
        let own = try ReadableFile(path: input.path)
        var work = work
        work.book = own.number
        let process = try plugin.start(work, isCancelled: isCancelled)
        withExtendedLifetime(own) {}
        let listing = try BookListing(
            asking: process, input, limits,
            seconds: Plugin.secondsForList(pageTimeout: Plugin.pageTimeout(settings)))
        process.answeredAtStart = process.answered
        let isSame = listed.withLock { listed in
            listed = listed ?? listing
            return listed?.pages == listing.pages
        }
        guard isSame else {
            throw PluginProcess.Fault.protocolViolation("lists different pages each time it opens the book")
        }
        return process
    }
}

extension PluginProcess {
    /// Sends a request about a page whose answer has one line.
    ///
    /// - Throws: `Fault`; the `AdapterError` in the answer.
    func request(
        _ ask: String, _ id: Int, _ more: [(key: String, value: JSON)] = [], seconds: Int
    ) throws -> JSON {
        let answer = try self.ask(
            .object([("ask", .string(ask)), ("id", .integer(id))] + more), seconds: seconds)
        if let refusal = answer.refusal { throw refusal }
        return answer
    }
}
