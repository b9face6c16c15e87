extension PluginManifest {
    /// The names of jisui's own formats whose signature alone satisfies one of the descriptor's tests.
    public var signaturesOfOwnFormats: [String] {
        var names: [String] = []
        for (name, head) in PluginManifest.ownHeads where !names.contains(name) {
            if magic.contains(where: { $0.allSatisfy { $0.holds(head) } }) { names.append(name) }
        }
        return names
    }

    /// The first bytes of files of jisui's own formats, as far as all files share them.
    private static let ownHeads: [(name: String, head: [UInt8])] = [
        ("PDF data", Array("%PDF-1.".utf8)),
        ("zip data", [0x50, 0x4B, 3, 4]),
        ("RAR data", Array("Rar!".utf8) + [0x1A, 7]),
        ("7z data", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ("tar data", [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)),
        ("JPEG data", [0xFF, 0xD8, 0xFF]),
        ("PNG data", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("GIF data", Array("GIF87a".utf8)), ("GIF data", Array("GIF89a".utf8)),
        ("WebP data", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)),
        ("TIFF data", Array("II".utf8) + [42, 0]), ("TIFF data", Array("MM".utf8) + [0, 42]),
        ("BMP data", Array("BM".utf8)),
        ("JPEG XL data", [0xFF, 0x0A]), ("JPEG XL data", [0, 0, 0, 12] + Array("JXL ".utf8)),
        ("JPEG 2000 data", [0, 0, 0, 12] + Array("jP  ".utf8)), ("JPEG 2000 data", [0xFF, 0x4F, 0xFF, 0x51]),
        ("AVIF data", [0, 0, 0, 0] + Array("ftypavif".utf8)), ("HEIF data", [0, 0, 0, 0] + Array("ftypheic".utf8)),
    ]
}
