internal import AdapterKit
internal import PageModel

/// What lines of an answer say under a key. What is there and cannot be used fails the answer: to pass over it would lose
/// something without a word. A key may be missing, or null.
extension JSON {
    /// A whole number.
    ///
    /// - Parameter what: what the line is, for the message.
    /// - Throws: for a text, a fraction, or a number beyond 64 bits.
    func wholeNumber(_ key: String, _ what: String) throws(PluginProcess.Fault) -> Int? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let number = value.asInteger else {
            throw .broke("has \(what) with a '\(key)' that is no whole number: \(told)")
        }
        return number
    }

    /// A text of one line, of a page.
    func text(_ key: String, of page: Int) throws(PluginProcess.Fault) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard value.asString != nil else { throw .broke("gives page \(page) a '\(key)' that is no text") }
        return JSON.line(value)
    }

    /// Yes or no, of a page.
    func flag(_ key: String, of page: Int) throws(PluginProcess.Fault) -> Bool? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let flag = value.asBoolean else {
            throw .broke("gives page \(page) a '\(key)' that is neither true nor false")
        }
        return flag
    }

    /// The side on which a page lies.
    func side(of page: Int) throws(PluginProcess.Fault) -> Side? {
        guard let word = try text("side", of: page) else { return nil }
        guard let side = Side(rawValue: word) else { throw .broke("knows no side '\(word)'") }
        return side
    }

    /// Sees whether the end of an answer that names a page belongs to a request: an answer too many, or one too late, would else
    /// be taken for that of the next page.
    func mustAnswer(_ request: JSON) throws(PluginProcess.Fault) {
        guard let page = self["id"], !page.isNull else { return }
        guard let number = page.asInteger, number == request["id"]?.asInteger else {
            let asked = request["id"].map { "page \($0.told)" } ?? "no page"
            throw .broke("answers for page \(page.told) when it was asked for \(asked)")
        }
    }

    /// The line for a message, or its beginning.
    var told: String { compactText.onOneLine(most: 120) }
}
