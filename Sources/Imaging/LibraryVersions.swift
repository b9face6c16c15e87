internal import CDeflate
internal import CGIF
internal import CHEIF
internal import CJPEGShims
internal import CJXL
internal import CLCMS
internal import CNettle
internal import COpenJPEG
internal import CPNGShims
internal import CTIFF
internal import CWebP
internal import CZimg

/// The libraries that decode, encode and scale images.
package enum ImagingLibraries {
    /// The name and version of each library, by name. A library that is not installed has none.
    ///
    /// Some do not report their version: giflib, libdeflate and libjpeg-turbo. Theirs is that of the build.
    package static var versions: [(name: String, version: String?)] {
        [
            ("giflib", dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)),
            ("lcms2", dotted(cmsGetEncodedCMMversion() / 1000, cmsGetEncodedCMMversion() % 1000 / 10)),
            ("libdeflate", LIBDEFLATE_VERSION_STRING),
            ("libheif", cheif_load().map { text($0.pointee.heif_get_version()) }),
            ("libjpeg-turbo", text(cjpeg_library_version())),
            ("libjxl", cjxl_load().map { jpegXL($0.pointee.JxlDecoderVersion()) }),
            ("libpng", text(cpng_library_version())),
            ("libtiff", tiff),
            ("libwebp", webP(WebPGetDecoderVersion())),
            ("nettle", dotted(nettle_version_major(), nettle_version_minor())),
            ("OpenJPEG", text(opj_version())),
            ("zimg", zimg),
        ]
    }

    private static func text(_ version: UnsafePointer<CChar>?) -> String { version.map { String(cString: $0) } ?? "" }

    private static func dotted(_ numbers: CInt...) -> String { numbers.map(String.init).joined(separator: ".") }

    /// The version in "LIBTIFF, Version 4.5.0", the first line of several.
    private static var tiff: String {
        text(TIFFGetVersion()).prefix { $0 != "\n" }.split(separator: " ").last.map(String.init) ?? ""
    }

    /// Returns "1.2.4" for 0x010204.
    private static func webP(_ version: CInt) -> String { dotted(version >> 16, version >> 8 & 0xFF, version & 0xFF) }

    /// Returns "0.7.0" for 7000.
    private static func jpegXL(_ version: UInt32) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }

    private static var zimg: String {
        var (major, minor, micro) = (CUnsignedInt(), CUnsignedInt(), CUnsignedInt())
        zimg_get_version_info(&major, &minor, &micro)
        return "\(major).\(minor).\(micro)"
    }
}
