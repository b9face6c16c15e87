internal import CQPDFShims

/// A version of PDF: 1.4, 2.0.
package struct PDFVersion: Hashable, Comparable, Sendable {
    let major: Int
    let minor: Int

    package init(_ major: Int, _ minor: Int) {
        (self.major, self.minor) = (major, minor)
    }

    /// Parses the written form; nil for an invalid version.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1], (0...9).contains(major),
            (0...9).contains(minor)
        else { return nil }
        self.init(major, minor)
    }

    package static func < (one: PDFVersion, other: PDFVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    var text: String { "\(major).\(minor)" }
}

extension PDFFile {
    /// The version that the file states, at its beginning or in its catalog (ISO 32000-1, 7.5.2).
    package var version: PDFVersion {
        let header = jqpdf_version(handle)
        let stated = PDFVersion(Int(header) / 10, Int(header) % 10)
        return max(stated, catalog["Version"].name.flatMap { PDFVersion($0) } ?? stated)
    }

    /// Makes the written file state at least this version, which introduced one of its features.
    package func require(_ version: PDFVersion) {
        neededVersion = max(neededVersion, version)
    }
}
