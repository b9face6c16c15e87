public import PageModel
public enum PictureDecoder {
    public static func decode(_ file: [UInt8], _ encoding: ImageEncoding, mostPixels: Int) throws(PictureFault) -> Drawing {
        if encoding == .jpeg { return try JPEGDecoder.decode(file, mostPixels: mostPixels) }
        throw PictureFault("no decoder yet")
    }
}
extension Raster {
    public func inSRGB() throws(PictureFault) -> Raster { self }
    public func flattened(on background: RGB) -> Raster { self }
}

