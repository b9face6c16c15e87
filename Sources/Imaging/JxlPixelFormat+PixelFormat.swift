internal import CJXL
internal import PageModel

extension JxlPixelFormat {
    /// How the samples of a raster lie in memory.
    init(_ format: PixelFormat) {
        self.init(
            num_channels: UInt32(format.bitsPerPixel / format.bitsPerSample),
            data_type: CInt(format.bitsPerSample == 16 ? CJXL_UINT16 : CJXL_UINT8),
            endianness: CInt(CJXL_BIG_ENDIAN), align: 0)
    }
}
