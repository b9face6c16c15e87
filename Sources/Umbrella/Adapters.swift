internal import AZW3Sink
internal import AZW3Source
internal import Adjustments
internal import ArchiveSource
internal import Clean
internal import Clips
internal import ComicSink
public import Conversion
internal import EPUBSink
internal import EPUBSource
internal import Flatten
internal import FolderSink
internal import FolderSource
internal import PDFSink
internal import PDFSource
public import Rotate
internal import Spreads
internal import StripSink
internal import Trim
internal import WebSink
internal import WebSource
internal import Webtoon
internal import XTCSink

extension Registry {
    /// Returns all adapters that ship with jisui. To add one, add its line here.
    ///
    /// - Parameter tesseract: the program that finds the orientation of pages without text of their own; nil for none.
    public static func builtIn(_ tesseract: Tesseract? = nil) -> Registry {
        Registry(
            sources: [
                PDFSource(),
                EPUBSource(),
                AZW3Source(),
                ArchiveSource(),
                WebSource(),
                FolderSource(),
                TIFFSource(),
                PictureSource(),
            ],
            transforms: [
                Rotate(tesseract),
                Clips(),
                Spreads(),
                Flatten(),
                Trim(),
                Leaves(),
                Clean(),
                Webtoon(),
                Adjustments(),
            ],
            sinks: [
                CBZSink(),
                CB7Sink(),
                CBTSink(),
                FolderSink(),
                PDFSink(),
                EPUBSink(),
                AZW3Sink(),
                XTCSink(.xtc),
                XTCSink(.xtch),
                StripSink(),
                WebSink(),
            ])
    }
}
