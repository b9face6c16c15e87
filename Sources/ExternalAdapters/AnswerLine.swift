internal import FoundationEssentials
internal import OrderedJSON
internal import PageModel
internal import Processes

/// The values under a key in lines of an answer. A value that is present but unusable is an error, because ignoring it
/// could lose data silently. A key may be missing, or null.
extension JSON {
    /// Returns a whole number.
    ///
    /// - Parameter what: the kind of line, for messages.
    /// - Throws: for text, fractions, and numbers beyond 64 bits.
    func wholeNumber(_ key: String, _ what: String) throws(PluginProcess.Fault) -> Int? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let number = value.asInteger else {
            throw .protocolViolation("has \(what) with a '\(key)' that is not a whole number: \(excerpt)")
        }
        return number
    }

    /// Returns a text of one line, about a page.
    func text(_ key: String, of page: Int) throws(PluginProcess.Fault) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard value.asString != nil else { throw .protocolViolation("gives page \(page) a '\(key)' that is not text") }
        return JSON.line(value)
    }

    /// Returns a Boolean value about a page.
    func flag(_ key: String, of page: Int) throws(PluginProcess.Fault) -> Bool? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let flag = value.asBoolean else {
            throw .protocolViolation("gives page \(page) a '\(key)' that is neither true nor false")
        }
        return flag
    }

    /// Returns the image format of a page's bytes; nil for samples.
    func encoding(of page: Int) throws(PluginProcess.Fault) -> ImageEncoding? {
        try text("encoding", of: page).map(ImageEncoding.init)
    }

    /// Returns the color profile of a page's samples.
    func profile(of page: Int) throws(PluginProcess.Fault) -> [UInt8]? {
        guard let value = self["icc"], !value.isNull else { return nil }
        guard let profile = value.asString.flatMap({ Data(base64Encoded: $0) }) else {
            throw .protocolViolation("gives page \(page) an 'icc' that is not in Base64")
        }
        return [UInt8](profile)
    }

    /// Returns the side of a page.
    func side(of page: Int) throws(PluginProcess.Fault) -> Side? {
        guard let word = try text("side", of: page) else { return nil }
        guard let side = Side(rawValue: word) else { throw .protocolViolation("gives an invalid side '\(word)'") }
        return side
    }
}
