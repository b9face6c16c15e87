/// The names that jisui makes for pages.
///
/// A name is text: reports print it, and decision files compare it. A message translates jisui's own words in it:
///
///     let message: Message = "\(page: name) is damaged"
public enum PageName {
    /// The name of a page that jisui adds.
    public static let blank = "blank page"

    private static let numbered = "page "
    private static let merged = " + "
    private static let (clip, part) = (", clip ", ", part ")
    private static let (left, right) = (", left half", ", right half")

    /// Returns the name of a page in a document that numbers its pages.
    public static func page(_ number: Int) -> String { numbered + String(number) }

    /// Returns the name of a page in a file that has several.
    public static func page(_ number: Int, of file: String) -> String { "\(file), \(page(number))" }

    /// Returns the name of the file of a page; the name itself, if the page is a whole file.
    public static func file(of name: String) -> String {
        guard let place = name.ranges(of: ", \(numbered)").last, number(name[place.upperBound...]) != nil else {
            return name
        }
        return String(name[..<place.lowerBound])
    }

    /// Returns the name of one half of a page.
    public static func half(of name: String, isLeft: Bool) -> String { name + (isLeft ? left : right) }

    /// Returns the name of a part of a page that a reader saved.
    public static func clip(_ number: Int, of name: String) -> String { "\(name)\(clip)\(number)" }

    /// Returns the name of a part of a page that is cut into several, from the top.
    public static func part(_ number: Int, of name: String) -> String { "\(name)\(part)\(number)" }

    /// Returns the name of two pages as one.
    public static func merged(_ first: String, _ second: String) -> String { first + merged + second }

    /// Returns a name as a message. Its English text is the name.
    static func message(_ name: String) -> Message {
        // A name of a file may have the sign, too: its text is then the same in each language.
        name.split(separator: merged, omittingEmptySubsequences: false).map(piece).joined(
            separator: Message(verbatim: merged))
    }

    private static func piece(_ name: Substring) -> Message {
        if name.hasSuffix(left) { return "\(whole(name.dropLast(left.count))), left half" }
        if name.hasSuffix(right) { return "\(whole(name.dropLast(right.count))), right half" }
        if let place = name.ranges(of: clip).last, let number = number(name[place.upperBound...]) {
            return "\(whole(name[..<place.lowerBound])), clip \(number)"
        }
        if let place = name.ranges(of: part).last, let number = number(name[place.upperBound...]) {
            return "\(whole(name[..<place.lowerBound])), part \(number)"
        }
        return whole(name)
    }

    /// Returns the message of a page's name, after that of its book or file, if it has one.
    private static func whole(_ name: Substring) -> Message {
        if let own = own(name) { return own }
        for separator in [": ", ", "] {
            guard let place = name.ranges(of: separator).last, let own = own(name[place.upperBound...]) else {
                continue
            }
            let file = Message(verbatim: String(name[..<place.lowerBound]))
            return separator == ": " ? "\(file): \(own)" : "\(file), \(own)"
        }
        return Message(verbatim: String(name))
    }

    /// Returns the message of a name without a book or a file; nil if jisui did not make it.
    private static func own(_ name: Substring) -> Message? {
        if name == blank { return "blank page" }
        return name.hasPrefix(numbered) ? number(name.dropFirst(numbered.count)).map { "page \($0)" } : nil
    }

    /// Returns a text that is a number; nil if it is not.
    private static func number(_ text: Substring) -> Substring? {
        text.allSatisfy { $0.isASCII && $0.isWholeNumber } && !text.isEmpty ? text : nil
    }
}

/// The names of the compressions of samples, which reports print.
public enum CompressionName {
    private static let joined = " joined pieces of "

    /// Returns the name of the compressions of several pieces of one image.
    public static func joined(_ count: Int, _ names: [String]) -> String {
        "\(count)\(joined)\(names.joined(separator: " and "))"
    }

    /// Returns a name as a message. Its English text is the name.
    public static func message(_ name: String) -> Message {
        guard let place = name.firstRange(of: joined) else { return Message(verbatim: name) }
        let names = name[place.upperBound...].split(separator: " and ").map { Message(verbatim: String($0)) }
        return "\(name[..<place.lowerBound]) joined pieces of \(names.joined(separator: " and "))"
    }
}
