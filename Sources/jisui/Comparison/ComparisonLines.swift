internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel
internal import Work

extension PageComparison {
    /// The line about the page.
    var line: Message { "\(sign.rawValue) \(subject): \(text)" }

    /// Returns the line about the page of an output.
    func line(in path: String) -> Message { "\(sign.rawValue) \(path): \(subject): \(text)" }

    /// "page 3 (0003.jpg)", of the other book if it has the page.
    private var subject: Message { (other ?? one)?.subject ?? "" }

    private var text: Message {
        guard isMoved, let one else { return comparison }
        return "\(comparison), moved from page \(one.number)"
    }

    private var comparison: Message {
        switch result {
        case .sameBytes: "same bytes"
        case .sameCoefficients: "same JPEG data"
        case .samePixels: "same pixels"
        case .differentPixels(let difference):
            "other pixels, by at most \(level(difference.maximum)) of 255, on average \(level(difference.mean))"
                + " (PSNR \(level(difference.psnr ?? 0)) dB)"
        case .differentSize: "\(size(other)) instead of \(size(one)) pixels"
        case .missing: "missing"
        case .added: "added"
        case .unreadable(let reason, isOfOther: true): "unreadable: \(reason)"
        case .unreadable(let reason, isOfOther: false): "the page that it is compared with is unreadable: \(reason)"
        }
    }

    private func size(_ place: Place?) -> String { place?.size.map { "\($0)" } ?? "?" }

    /// Returns a number with few digits.
    private func level(_ level: Double) -> String {
        if level > 0, level < 0.01 { return "<0.01" }
        let rounded = (level * 100).rounded() / 100
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}

extension PageComparison.Place {
    /// "page 3 (0003.jpg)".
    var subject: Message {
        name == PageName.page(number) ? "page \(number)" : "page \(number) (\(page: FileName.last(of: name)))"
    }
}

extension MetadataDifference {
    /// The line about the field.
    var line: Message { "\(ComparisonSign.different.rawValue) \(text)" }

    /// The difference in words.
    var text: Message {
        let name: Message =
            switch field {
            case "outline": "table of contents"
            case "pageLabels": "page labels"
            default: Message(pattern: field)
            }
        guard let one else { return "\(name): added '\(other ?? "")'" }
        guard let other else { return "\(name): '\(one)' is missing" }
        return "\(name): '\(other)' instead of '\(one)'"
    }
}

extension BookComparison {
    /// The counts of the pages: "3 with the same bytes, 1 different".
    var counts: Message {
        func equal(_ word: String) -> Int { pages.count { $0.sign == .equal && $0.word == word } }
        let parts: [(Int, (Int) -> Message)] = [
            (equal("sameBytes"), { "\($0) with the same bytes" }),
            (equal("sameCoefficients"), { "\($0) with the same JPEG data" }),
            (equal("samePixels"), { "\($0) with the same pixels" }),
            (pages.count { $0.sign == .different && !$0.isMoved }, { "\($0) different" }),
            (pages.count { $0.sign == .different && $0.isMoved }, { "\($0) moved" }),
            (count(.missing), { "\($0) missing" }), (count(.added), { "\($0) added" }),
            (count(.unreadable), { "\($0) unreadable" }),
            (metadata.count, { $0 == 1 ? "1 difference of metadata" : "\($0) differences of metadata" }),
        ]
        return parts.compactMap { count, word in count > 0 ? word(count) : nil }.joined(separator: ", ")
    }

    /// The line about both books.
    var summary: Message {
        if isSample { return "compared a sample of \(pages.count) of \(pageCount) pages: \(counts)" }
        return pageCount == 1 ? "1 page: \(counts)" : "\(pageCount) pages: \(counts)"
    }
}

extension BookVerification {
    /// The lines about the output: one about the whole, and one for each page and field that is not equal.
    ///
    /// - Parameter isVerbose: whether equal ones have a line as well.
    func lines(isVerbose: Bool) -> [Message] {
        if let missing = pair.missing {
            let name = pair.known == nil ? missing : pair.path
            return ["\(sign.rawValue) \(name): \(record.map { "missing, but in \($0)" } ?? "missing")"]
        }
        if let error {
            let line: Message = error.file == nil ? "\(pair.path): \(error.text)" : error.text
            return ["\(sign.rawValue) \(line)"]
        }
        guard sign != .equal || isVerbose else { return [] }
        var parts: [Message] = [checked, PageChecking.verdict(findings, hasWarnings: warnings.contains { !$0.isNote })]
        if pair.isAdded { parts.insert("added", at: 0) }
        if let record, let hasKnownDigest {
            parts.append(hasKnownDigest ? "the bytes are those in \(record)" : "the bytes are not those in \(record)")
        }
        if let comparison { parts.append(comparison.counts) }
        var lines: [Message] = ["\(sign.rawValue) \(pair.path): \(parts.joined(separator: "; "))"]
        for damage in damages {
            let reasons = damage.finding.defects + [damage.finding.unchecked].compactMap { $0 }
            let mark = damage.finding.defects.isEmpty ? ComparisonSign.equal : .unreadable
            lines.append(
                "\(mark.rawValue) \(pair.path): \(damage.place.subject): \(reasons.joined(separator: ", "))")
        }
        for page in comparison?.pages ?? [] where page.sign != .equal || isVerbose {
            lines.append(page.line(in: pair.path))
        }
        for field in comparison?.metadata ?? [] {
            lines.append("\(ComparisonSign.different.rawValue) \(pair.path): \(field.text)")
        }
        return lines
    }

    private var record: String? { pair.known?.record }

    private var checked: Message {
        if findings.count < pageCount { return "checked \(findings.count) of \(pageCount) pages" }
        return pageCount == 1 ? "1 page" : "\(pageCount) pages"
    }
}
