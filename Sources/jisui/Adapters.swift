internal import ArchiveSource
internal import Clips
internal import ComicSink
internal import Conversion
internal import EPUBSink
internal import EPUBSource
internal import Flatten
internal import FolderSink
internal import FolderSource
internal import PDFSink
internal import PDFSource
internal import Spreads
internal import StripSink
internal import Trim
internal import WebSink
internal import WebSource

extension Registry {
    /// Every adapter jisui has. To add one, add its line here.
    static let jisui = Registry(
        sources: [
            PDFSource(),
            EPUBSource(),
            ArchiveSource(),
            WebSource(),
            FolderSource(),
            TIFFSource(),
            PictureSource(),
        ],
        transforms: [
            Clips(),
            SpreadPairing(),
            Flatten(),
            Trim(),
            SpreadMerging(),
        ],
        sinks: [
            CBZSink(),
            CB7Sink(),
            CBTSink(),
            FolderSink(),
            PDFSink(),
            EPUBSink(),
            StripSink(),
            WebSink(),
        ])
}
