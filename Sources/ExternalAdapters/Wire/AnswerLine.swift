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

    /// The line for a message, or its beginning.
    var told: String { compactText.onOneLine(most: 120) }
}
