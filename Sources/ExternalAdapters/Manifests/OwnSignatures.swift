internal import Imaging
internal import PageModel

extension PluginManifest {
    /// The names of jisui's own formats whose signature alone satisfies one of the descriptor's tests.
    package var signaturesOfOwnFormats: [String] {
        var names: [String] = []
        for (name, head) in PluginManifest.ownHeads where !names.contains(name) {
            if magic.contains(where: { $0.allSatisfy { $0.holds(head) } }) { names.append(name) }
        }
        return names
    }

    /// The first bytes of files of jisui's own formats, as far as all files share them.
    private static let ownHeads =
        containerHeads + PictureSignature.all.map { (name: "\($0.encoding.name) data", head: $0.head) }

    private static let containerHeads: [(name: String, head: [UInt8])] = [
        ("PDF data", Array("%PDF-1.".utf8)),
        ("zip data", [0x50, 0x4B, 3, 4]),
        ("RAR data", Array("Rar!".utf8) + [0x1A, 7]),
        ("7z data", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ("tar data", [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)),
    ]
}
