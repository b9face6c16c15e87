internal import AdapterKit
internal import ArchiveSource
internal import Clips
internal import ComicSink
internal import Conversion
internal import EPUBSink
internal import EPUBSource
internal import ExternalAdapters
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
    /// Every adapter there is: jisui's own, and those that outside plug-ins are.
    static let jisui = own.adding(OutsidePlugins.found)

    /// Every adapter of jisui's own. To add one, add its line here.
    static let own = Registry(
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
