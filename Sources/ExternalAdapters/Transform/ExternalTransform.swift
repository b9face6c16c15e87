package import AdapterKit
internal import Files
internal import OrderedJSON
internal import OrderedWork
package import PageModel
internal import Processes

/// A transform that changes pages through an external plug-in: their order, their visible part, their pixels and their
/// text.
package struct ExternalTransform: PageTransform {
    package var descriptor: AdapterDescriptor { plugin.manifest.descriptor }
    package var addedFeatures: Set<SinkCapabilities.Feature> { plugin.manifest.features }
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a transform.
    package init(_ plugin: Plugin) {
        precondition(plugin.manifest.role == .transform)
        self.plugin = plugin
    }

    package func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        guard settings[descriptor.id] != nil else {
            if let idle = settings.given.keys.sorted().first {
                throw AdapterError(.usage, "--\(idle) does nothing without --\(descriptor.id)")
            }
            return []
        }
        return [
            Pass(plugin.manifest.stage, sharing: [.pageTimeout]) { [plugin] sequence, request in
                if sequence.pages.isEmpty { return sequence }
                return try await PageChanger(plugin, settings, sequence, request).changed()
            }
        ]
    }
}

/// The state of a book's pages while a plug-in processes them.
private final class PageChanger: Sendable {
    /// The plug-in's changes to a page that stays.
    private struct Change: Sendable {
        var id: Int
        var label: String?
        var side: Side?
        var edits: [Edit] = []
        /// Whether it changes the pixels.
        var changesImage = false
        /// The resolution at which it needs the page for text recognition; nil for none.
        var textPixels: Int?
        /// Whether the recognized text replaces the page's invisible text.
        var replacesText = false

        /// Whether it changes more than the text.
        var isVisible: Bool { label != nil || side != nil || !edits.isEmpty }

        /// - Throws: if the manifest forbids the change.
        func check(_ mayChangeImages: Bool) throws(PluginProcess.Fault) {
            if changesImage, !mayChangeImages {
                throw .protocolViolation("changes the image of page \(id), which its manifest does not declare")
            }
            if textPixels != nil, mayChangeImages {
                throw .protocolViolation("recognizes text, which a plug-in that changes images cannot do")
            }
        }
    }

    private let sequence: PageSequence
    private let request: TransformRequest
    private let plugin: Plugin
    private let workers: PluginWorkerPool
    private let images: ImageChanger

    private static let pixels = 32...20_000
    private static let pixelsForText = 2000
    /// The maximum number of previews of each page.
    private static let maximumPreviewsPerPage = 8

    init(
        _ plugin: Plugin, _ settings: Settings, _ sequence: PageSequence, _ request: TransformRequest
    ) throws(AdapterError) {
        (self.plugin, self.sequence, self.request) = (plugin, sequence, request)
        var work = Plugin.ProcessInput(settings: settings)
        if plugin.manifest.needs.contains(.scratch) { work.scratch = try WorkFolder(plugin.temporaryFiles) }
        work.limits = request.limits
        // A plug-in that hangs would take its time for every page. Without it, pages only stay unchanged.
        let kept = work
        let crashes = CrashCounter(includesSlowAnswers: plugin.manifest.changesImages, observer: plugin.watch)
        let makeWorker = { @Sendable in
            PluginWorker(plugin.name, crashes) { isCancelled in try plugin.start(kept, isCancelled: isCancelled) }
        }
        workers = PluginWorkerPool(maximum: plugin.manifest.workerCount, makeWorker)
        images = ImageChanger(
            plugin, settings, request, PluginWorkerPool(maximum: plugin.manifest.workerCount, makeWorker))
    }

    func changed() async throws -> PageSequence {
        var pictures: [Int: Picture] = [:]
        for page in sequence.pages {
            // The run reports an unreadable page when it is converted.
            pictures[page.id] = try? await page.examine()
            try Task.checkCancellation()
        }
        let sizes = Dictionary(
            uniqueKeysWithValues: sequence.pages.compactMap { page in
                pictures[page.id]?.size.map { (page.id, page.edits.applied(to: $0)) }
            })
        var states = plugin.manifest.features.contains(.text) ? try await textStates() : [:]
        let (changes, language) = try await ask(sizes, states)
        if states.isEmpty, changes.contains(where: { $0.textPixels != nil }) { states = try await textStates() }
        let recognizer = TextRecognizer(plugin, workers, request, language, states)
        let pages = Dictionary(uniqueKeysWithValues: sequence.pages.map { ($0.id, $0) })
        // A dry run recognizes no text.
        if changes.map(\.id) != sequence.pages.map(\.id) || changes.contains(where: \.isVisible)
            || request.isDryRun && changes.contains(where: { $0.textPixels != nil })
            || changes.contains(where: { $0.textPixels != nil && states[$0.id]?.kind ?? .missing != .missing })
        {
            request.effects.note(option: plugin.manifest.descriptor.id)
        }
        var result = sequence
        result.pages = changes.compactMap { change in
            pages[change.id].map { made($0, change, pictures[change.id], recognizer) }
        }
        guard !result.pages.isEmpty else {
            throw AdapterError(.usage, "--\(plugin.manifest.descriptor.id) left no page of the book")
        }
        result.pages.keepFacing(as: sequence.pages)
        let kept = Set(changes.map(\.id))
        for index in result.book.outline.indices {
            guard let page = result.book.outline[index].page, !kept.contains(page) else { continue }
            // Outline items of a removed page move to the next one that stays.
            let later = sequence.pages.drop { $0.id != page }.first { kept.contains($0.id) }
            result.book.outline[index].page = later?.id
        }
        return result
    }

    // MARK: The changes

    /// Returns the text of each page before its recognition.
    private func textStates() async throws -> [Int: PageTextState] {
        var states: [Int: PageTextState] = [:]
        let previews = request.previews
        try await forEachInOrder(sequence.pages, width: request.width) { page in
            (page.id, try await PageTextState(page, previews))
        } body: {
            states[$0.0] = $0.1
        }
        return states
    }

    private func ask(
        _ sizes: [Int: PixelSize], _ states: [Int: PageTextState]
    ) async throws -> ([Change], TextRecognizer.Language?) {
        let pages = sequence.pages.map { PageChanger.line($0, sizes[$0.id], states[$0.id]) }
        var members: [(key: String, value: JSON)] = [
            ("ask", "change"), ("count", .integer(pages.count)), ("book", sequence.book.forPlugin),
        ]
        if let locale = plugin.locale { members.append(("locale", .string(locale))) }
        let begin = JSON.object(members)
        let known = Dictionary(uniqueKeysWithValues: sequence.pages.map { ($0.id, $0) })
        let seconds = Plugin.secondsForList(pageTimeout: request.pageTimeout)
        let mayChangeImages = plugin.manifest.changesImages
        let findsLines = plugin.manifest.features.contains(.text)
        let isolation = InheritedIsolation()
        return try await workers.perform { [request] process in
            var changes: [Change] = []
            var seen: Set<Int> = []
            var wanted = 0
            let end = try process.ask(begin, behind: pages, seconds: seconds) { line in
                if let id = try line.wholeNumber("preview", "a request") {
                    guard let page = known[id] else {
                        throw PluginProcess.Fault.protocolViolation("asks for page \(id), which does not exist")
                    }
                    let pixels = try PageChanger.pixels(line, or: 1000)
                    wanted += 1
                    guard wanted <= PageChanger.maximumPreviewsPerPage * known.count else {
                        throw PluginProcess.Fault.protocolViolation("requested too many previews of pages")
                    }
                    return try process.show {
                        try waiting {
                            try await isolation.inherited {
                                try await request.previews.gray(page, pixels, findsLines: findsLines)
                            }
                        }
                    }
                }
                guard let id = try line.wholeNumber("page", "a page") else {
                    throw PluginProcess.Fault.protocolViolation("lists an invalid page: \(line.excerpt)")
                }
                guard let page = known[id], seen.insert(id).inserted else {
                    throw PluginProcess.Fault.protocolViolation("keeps page \(id) twice, or page \(id) does not exist")
                }
                let change = try PageChanger.change(page, line, sizes[id])
                try change.check(mayChangeImages)
                changes.append(change)
                return nil
            }
            if let refusal = end.refusal { throw refusal }
            return (changes, try TextRecognizer.Language(end))
        }
    }

    private static func line(_ page: Page, _ size: PixelSize?, _ state: PageTextState?) -> JSON {
        var members: [(key: String, value: JSON)] = [("page", .integer(page.id)), ("name", .string(page.name))]
        if let size { members.append(("size", [.integer(size.width), .integer(size.height)])) }
        if let label = page.label { members.append(("label", .string(label))) }
        if page.side != .single { members.append(("side", .string(page.side.rawValue))) }
        if let state, state.kind != .missing { members.append(("text", .string(state.kind.rawValue))) }
        return .object(members)
    }

    private static func pixels(_ line: JSON, or usual: Int) throws(PluginProcess.Fault) -> Int {
        let asked = try line.wholeNumber("pixels", "a page") ?? usual
        return min(max(asked, pixels.lowerBound), pixels.upperBound)
    }

    private static func change(_ page: Page, _ line: JSON, _ size: PixelSize?) throws -> Change {
        var change = Change(id: page.id, label: try line.text("label", of: page.id))
        change.side = try line.side(of: page.id)
        if let crop = line["crop"], !crop.isNull {
            let numbers = crop.elements?.compactMap(\.asInteger) ?? []
            guard let size, numbers.count == 4, crop.elements?.count == 4, numbers[2] > 0, numbers[3] > 0 else {
                throw PluginProcess.Fault.protocolViolation("crops page \(page.id) to an area outside the page")
            }
            let rect = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            guard PixelRect(x: 0, y: 0, size).contains(rect) else {
                throw PluginProcess.Fault.protocolViolation("crops page \(page.id) to an area outside the page")
            }
            change.edits.append(.keep(rect, of: size))
        }
        if let turn = try line.wholeNumber("rotation", "a page"), turn != 0 {
            guard [90, 180, 270].contains(turn) else {
                throw PluginProcess.Fault.protocolViolation(
                    "rotates page \(page.id) by \(turn) degrees, not 90, 180 or 270")
            }
            change.edits.append(.turn(quarters: turn / 90))
        }
        change.changesImage = try line.flag("image", of: page.id) ?? false
        if try line.flag("text", of: page.id) == true { change.textPixels = try pixels(line, or: pixelsForText) }
        change.replacesText = try line.flag("replaces", of: page.id) ?? false
        return change
    }

    /// - Parameter picture: the page's image; nil if it cannot be read.
    private func made(
        _ page: Page, _ change: Change, _ picture: Picture?, _ recognizer: TextRecognizer
    ) -> Page {
        var made = page
        made.label = change.label ?? page.label
        made.side = change.side ?? page.side
        made.edits += change.edits.map(PageEdit.move)
        if change.changesImage {
            let operation = ImageChange(page: page, resolution: picture?.resolution(of: made), changer: images)
            if let picture, picture.size == nil {
                // The pixels of such a file cannot be changed, but the file can be copied.
                let reason = AdapterError(.unsupported, "it does not tell its size before it is decoded")
                request.report(operation.warning(because: reason))
            } else {
                made.edits.append(.change(operation))
            }
        }
        // Another plug-in may recognize text already.
        if let pixels = change.textPixels, page.recognition?.read == nil {
            made.recognition = recognizer.recognition(of: page, pixels, replacesText: change.replacesText)
        }
        return made
    }
}

extension [Page] {
    /// Separates pages that faced each other in another sequence and no longer follow each other.
    mutating func keepFacing(as given: [Page]) {
        let next = Dictionary(uniqueKeysWithValues: zip(given, given.dropFirst()).map { ($0.id, $1.id) })
        for index in indices where self[index].facesNextPage {
            self[index].facesNextPage = index + 1 < count && self[index + 1].id == next[self[index].id]
        }
    }
}
