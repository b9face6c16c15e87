import AdapterKit
import PageModel
import Testing

@testable import Metadata

/// Malicious XML: each document that jisui reads is rejected or skipped with one line.
///
/// `Benchmarks/hostile_metadata.py` measures the memory that this takes.
@Suite struct HostileXMLTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The document of an element of that name.
        let document: @Sendable (String) -> String
        let complaint: String
    }

    static let attacks = [
        Attack(
            testDescription: "billion laughs",
            document: { root in
                let laughs = (1...9).map { "<!ENTITY l\($0) '\(String(repeating: "&l\($0 - 1);", count: 10))'>" }
                return "<!DOCTYPE \(root) [<!ENTITY l0 'ha'>\(laughs.joined())]><\(root)>&l9;</\(root)>"
            }, complaint: "has a document type"),
        Attack(
            testDescription: "an external entity",
            document: { "<!DOCTYPE \($0) [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><\($0)>&x;</\($0)>" },
            complaint: "has a document type"),
        Attack(
            testDescription: "an external document type",
            document: { "<!DOCTYPE \($0) SYSTEM 'http://127.0.0.1:1/x.dtd'><\($0)/>" }, complaint: "has a document type"
        ),
        Attack(
            testDescription: "100,000 levels",
            document: { root in
                "<\(root)>" + String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
                    + "</\(root)>"
            }, complaint: "is nested more than 64 levels deep"),
        Attack(
            testDescription: "20 MB of text", document: { "<\($0)>\(String(repeating: "x", count: 20 << 20))</\($0)>" },
            complaint: "is larger than"),
        Attack(
            testDescription: "an attribute of 20 MB",
            document: { "<\($0) a='\(String(repeating: "x", count: 20 << 20))'/>" }, complaint: "is larger than"),
        Attack(
            testDescription: "200,000 attributes",
            document: { root in "<\(root) \((0..<200_000).map { "a\($0)='' " }.joined())/>" },
            complaint: "has an element with more than 1000 attributes"),
    ]

    private struct Never: Error {}

    /// The documents that are stored next to pages.
    @Test(arguments: attacks, ["ComicInfo.xml", "MetronInfo.xml", "x.acbf"])
    func theBookIsReadWithoutIt(_ attack: Attack, _ name: String) {
        let root = name == "x.acbf" ? "ACBF" : String(name.dropLast(4))
        var pages = [Page(id: 1, name: "1.jpg") { throw Never() }]
        var warnings: [Warning] = []
        let bytes = Array(attack.document(root).utf8)
        let file = BookDocument.File(path: name) { () throws(AdapterError) in
            try BookDocument.checkSize(bytes.count)
            return bytes
        }
        #expect(BookDocument.metadata(from: [file], for: &pages, warnings: &warnings) == BookMetadata())
        #expect(warnings.map(\.code) == ["bad-metadata"])
        #expect(warnings.first?.explanation.english.hasPrefix("\(name): \(attack.complaint)") == true)
        #expect(warnings.first?.message.english.contains("\n") == false)
    }

    @Test(arguments: attacks, ["ComicInfo", "MetronInfo", "ACBF", "package"])
    func metadataFilesAreRefused(_ attack: Attack, _ root: String) {
        let error = #expect(throws: AdapterError.self) { try MetadataFile(Array(attack.document(root).utf8)) }
        #expect(
            error?.message.english.hasPrefix(attack.complaint) == true && error?.message.english.contains("\n") == false
        )
    }

    @Test(arguments: attacks)
    func hostilePDFPacketIsRejected(_ attack: Attack) {
        let found = XMPMetadata(xmp: Array(attack.document("xmpmeta").utf8))
        #expect(found.book == BookMetadata() && found.defect?.english.hasPrefix(attack.complaint) == true)
    }
}
