internal import AdapterKit
internal import LayoutAnalysis
internal import OrderedJSON
internal import PageModel
internal import Processes

/// A recognizer of the text of pages, by a plug-in.
struct TextRecognizer: Sendable {
    /// The language in which a plug-in reads a book.
    struct Language: Sendable {
        let name: String
        /// The place from which it is known.
        let source: String?

        /// - Throws: `PluginProcess.Fault` for an invalid answer.
        init?(_ answer: JSON) throws(PluginProcess.Fault) {
            guard let value = answer["language"], !value.isNull else { return nil }
            guard let name = JSON.line(value), name.count <= 200 else {
                throw .protocolViolation("names an invalid language")
            }
            self.name = name
            source = JSON.line(answer["languageFrom"])
        }
    }

    private let plugin: Plugin
    private let workers: PluginWorkerPool
    private let request: TransformRequest
    private let language: Language?
    private let states: [Int: PageTextState]

    init(
        _ plugin: Plugin, _ workers: PluginWorkerPool, _ request: TransformRequest, _ language: Language?,
        _ states: [Int: PageTextState]
    ) {
        (self.plugin, self.workers, self.request) = (plugin, workers, request)
        (self.language, self.states) = (language, states)
    }

    /// Returns the recognition of a page's text; that of a page with text only states this.
    ///
    /// - Parameter replacesText: whether the plug-in's text replaces the page's invisible text.
    func recognition(of page: Page, _ pixels: Int, replacesText: Bool) -> TextRecognition {
        let id = plugin.manifest.descriptor.id
        let state = states[page.id]
        let replaces = replacesText && state?.hasInvisibleText == true
        if let state, state.kind == .visible || state.kind == .invisible && !replaces {
            var values = ["option": id, "kind": state.kind.rawValue]
            values["sample"] = state.sample
            return TextRecognition(Note(.ownText, values))
        }
        var values = ["option": id]
        (values["language"], values["languageFrom"]) = (language?.name, language?.source)
        return TextRecognition(Note(.textRecognized, values), replacesInvisible: replaces) { whole in
            let own = try await replaces ? page.visibleText() : page.text()
            return TextCoverage(own).adding(try await text(of: whole.legible ?? page.unmoved, pixels))
        }
    }

    /// Recognizes all text of a page as its edits show it. Positions of words refer to the page before its edits.
    private func text(of page: Page, _ pixels: Int) async throws -> [TextLine] {
        let seen = try await request.previews.gray(page, pixels)
        let seconds = Plugin.secondsForWholePage(pageTimeout: request.pageTimeout)
        var members: [(key: String, value: JSON)] = [
            ("ask", "text"), ("id", .integer(page.id)), ("bytes", .integer(seen.file.count)),
            ("size", [.integer(seen.size.width), .integer(seen.size.height)]),
            ("dpi", seen.resolution.map { .number($0) } ?? .null),
        ]
        // Only one of several processes was asked for the changes.
        if let language { members.append(("language", .string(language.name))) }
        let ask = JSON.object(members)
        let lines = try await workers.perform(on: page.id) { process in
            try PluginText.lines(process, ask, picture: seen.file, seconds: seconds)
        }
        if !lines.isEmpty { request.effects.note(option: plugin.manifest.descriptor.id) }
        var map = PageMap(try await page.examine().size ?? seen.size)
        for edit in page.edits { map.append(edit) }
        return map.origins(of: lines)
    }
}
