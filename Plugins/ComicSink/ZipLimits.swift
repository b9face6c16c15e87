/// The numbers that mean "look in the ZIP64 record" where they stand in a field of the old size (APPNOTE 4.4.1.4).
struct ZipLimits {
    /// Byte counts and offsets from here on need ZIP64.
    var bytes = 0xFFFF_FFFF
    /// Counts of entries from here on need ZIP64.
    var entries = 0xFFFF
}
