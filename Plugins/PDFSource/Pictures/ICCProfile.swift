/// Colour profiles, as far as one has to know whether they change anything.
enum ICCProfile {
    /// Whether a profile is what readers assume of a picture that has none: sRGB, or gray with sRGB's tone.
    ///
    /// Told by the name in the profile, since the sRGBs in use differ in their last bits.
    static func isOrdinary(_ profile: [UInt8]) -> Bool {
        // ICC.1:2010, 7.3: the tag table begins at 128, each entry has a signature, an offset and a size.
        func word(_ at: Int) -> Int? {
            guard at >= 0, at + 4 <= profile.count else { return nil }
            return profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard let count = word(128), count < 200 else { return true }
        for tag in 0..<count {
            let entry = 132 + 12 * tag
            guard word(entry) == 0x6465_7363, let offset = word(entry + 4), let size = word(entry + 8),
                size < 4096, offset <= profile.count - size, size > 12
            else { continue }
            // 'desc' is ASCII in version 2 and UTF-16 in version 4: its letters read the same without zeros.
            let letters = profile[(offset + 8)..<(offset + size)].filter { $0 >= 32 && $0 < 127 }
            let name = String(decoding: letters, as: UTF8.self).lowercased()
            return ["srgb", "sgray", "gray gamma 2.2", "dot gain 0"].contains { name.contains($0) }
        }
        return false
    }
}
