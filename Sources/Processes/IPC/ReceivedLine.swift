package import OrderedJSON
internal import PageModel

extension JSON {
    /// Checks that the end of an answer names the page of its request. Otherwise an extra or late answer would be used
    /// for the next page.
    func mustAnswer(_ request: JSON) throws(PluginProcess.Fault) {
        guard let page = self["id"], !page.isNull else { return }
        guard let number = page.asInteger, number == request["id"]?.asInteger else {
            let asked = request["id"].map { "page \($0.excerpt)" } ?? "no page"
            throw .protocolViolation("answers for page \(page.excerpt) when it was asked for \(asked)")
        }
    }

    /// The line, or its beginning, for a message.
    package var excerpt: String { compactText.onOneLine(maximumLength: 120) }
}

extension String {
    /// Returns its beginning on one line. The text of a plug-in cannot end a line of a message or control a terminal.
    package func onOneLine(maximumLength: Int) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(maximumLength) {
            shown.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(shown)
    }
}
