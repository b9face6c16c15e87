internal import AdapterKit
internal import Files
public import PageModel

/// A template for the names of outputs: "{series} {number:3}.{ext}".
///
/// A part in parentheses or square brackets is left out if one of its fields has no value: " ({year})".
public struct NameTemplate: Hashable, Sendable {
    private enum Element: Hashable {
        case text(String)
        /// A field, and the minimum number of its digits.
        case field(String, digits: Int)
        /// A part in brackets, brackets included.
        case optional([Element])
    }

    /// The fields about the input's path, and the extension of the output.
    private static let ofPath = ["name", "file", "folder", "ext"]
    /// The fields of metadata, by the names of their options.
    private static let ofBook = MetadataField.all.compactMap(\.option?.name) + ["year"]
    /// The largest number of bytes of a name. File systems allow 255, and temporary names are longer.
    private static let maximumBytes = 200
    private static let maximumDigits = 9

    /// All fields, for messages and help.
    static let fieldNames = (ofPath + ofBook).map { "{\($0)}" }.joined(separator: " ")

    private let parts: [Element]

    /// - Throws: `.usage` for an unknown field or a name that no file may have.
    public init(_ text: String) throws(AdapterError) {
        if text.isEmpty {
            throw AdapterError(.usage, "--name needs a template: --name '\("{series} {number}.{ext}")'")
        }
        if text.utf8.contains(UInt8(ascii: "/")) {
            throw AdapterError(.usage, "--name takes the name of a file, without '/', not '\(text)'")
        }
        // Every name gets the extension at its end.
        let ending = ".{ext}"
        parts = try NameTemplate.parts(of: text.hasSuffix(ending) ? text.dropLast(ending.count) : text[...])
    }

    private static func parts(of text: Substring) throws(AdapterError) -> [Element] {
        let closings: [Character: Character] = ["{": "}", "(": ")", "[": "]"]
        var (parts, rest) = ([Element](), text)
        while let opening = rest.first {
            guard let closing = closings[opening], let end = rest.firstIndex(of: closing) else {
                if opening == "{" { throw AdapterError(.usage, "--name has a '{' without a '}'") }
                parts.append(.text(String(opening)))
                rest.removeFirst()
                continue
            }
            let inner = rest[..<end].dropFirst()
            if opening == "{" {
                parts.append(try field(inner))
            } else {
                let bracketed = [.text(String(opening))] + (try Self.parts(of: inner)) + [.text(String(closing))]
                parts.append(.optional(bracketed))
            }
            rest = rest[end...].dropFirst()
        }
        return parts
    }

    private static func field(_ text: Substring) throws(AdapterError) -> Element {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = words.first.map(String.init) ?? ""
        guard (ofPath + ofBook).contains(name) else {
            throw AdapterError(.usage, "--name has an unknown field '\("{\(text)}")'; it takes \(fieldNames)")
        }
        if words.count == 1 { return .field(name, digits: 0) }
        guard let digits = Int(words[1]), (1...maximumDigits).contains(digits) else {
            throw AdapterError(
                .usage,
                "--name takes a number of digits from 1 to \(maximumDigits), as in \("{number:3}"), not '\(words[1])'")
        }
        return .field(name, digits: digits)
    }

    /// Whether the names depend on the metadata of the books.
    var needsMetadata: Bool { NameTemplate.fields(of: parts).contains(where: NameTemplate.ofBook.contains) }

    private static func fields(of parts: [Element]) -> [String] {
        parts.flatMap { part -> [String] in
            switch part {
            case .text: return []
            case .field(let name, _): return [name]
            case .optional(let parts): return Self.fields(of: parts)
            }
        }
    }

    /// A name, or the fields outside of brackets that have no value.
    enum Outcome: Equatable {
        case name(String)
        case missing([String])
    }

    /// Returns the name of an output, without its extension.
    ///
    /// - Parameters:
    ///   - input: the first input of the book.
    ///   - stem: the name that the output would have without the template.
    ///   - book: the metadata of the output; nil if the template needs none.
    func name(for input: Input, stem: String, pathExtension: String, _ book: BookMetadata?) -> Outcome {
        var values = ["name": stem, "file": FileName.last(of: input.name), "ext": pathExtension]
        // Standard input has a name, but no folder.
        if input.name == input.path {
            values["folder"] = FileName.resolved(FileName.parent(of: input.path)).map(FileName.last)
        }
        if let book { values.merge(NameTemplate.values(of: book)) { $1 } }
        let missing = parts.filter { part in
            if case .field(let name, _) = part { values[name] == nil } else { false }
        }
        guard missing.isEmpty else { return .missing(NameTemplate.fields(of: missing).unique) }
        let text = parts.map { NameTemplate.text(of: $0, values) ?? "" }.joined()
        return .name(NameTemplate.valid(text) ?? stem)
    }

    /// Returns the text of a part; nil if a field has no value.
    private static func text(of part: Element, _ values: [String: String]) -> String? {
        switch part {
        case .text(let text): text
        case .field(let name, let digits): values[name].map { padded($0, digits) }
        case .optional(let parts):
            parts.reduce("") { text, part in
                guard let text, let more = Self.text(of: part, values) else { return nil }
                return text + more
            }
        }
    }

    /// Returns a number with leading zeros: "12.5" with three digits is "012.5".
    private static func padded(_ text: String, _ digits: Int) -> String {
        let count = text.prefix { $0.isASCII && $0.isNumber }.count
        return count == 0 ? text : String(repeating: "0", count: max(0, digits - count)) + text
    }

    /// Returns the fields of a book that have a value, as parts of a name.
    private static func values(of book: BookMetadata) -> [String: String] {
        var values: [String: String] = [:]
        for field in MetadataField.all {
            guard let name = field.option?.name else { continue }
            values[name] =
                switch field.kind {
                case .text(let path), .statement(let path), .paragraphs(let path), .language(let path):
                    book[keyPath: path]
                case .credits: book.authors.first
                case .date(let path): book[keyPath: path]?.description
                case .words, .isbn, .direction: nil
                }
        }
        values["year"] = book.date.map { String($0.description.prefix { $0 != "-" }) }
        return values.mapValues(writable).filter { !$0.value.isEmpty }
    }

    /// Returns text without characters that Linux, Windows or the file system of a memory card allows in no name.
    private static func writable(_ text: String) -> String {
        String(
            text.map {
                $0.isNewline || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true || #"/\:*?"<>|"#.contains($0)
                    ? "-" : $0
            })
    }

    /// Returns a name without spaces and periods at its ends and without double spaces, and not too long; nil if nothing
    /// is left. A name that begins with a period would be hidden.
    private static func valid(_ text: String) -> String? {
        let name = text.split(separator: " ").joined(separator: " ")
        let isEnd = { (character: Character) in character == " " || character == "." }
        var kept = name.drop(while: isEnd)
        while kept.utf8.count > maximumBytes || kept.last.map(isEnd) == true { kept.removeLast() }
        return kept.isEmpty ? nil : String(kept)
    }
}
