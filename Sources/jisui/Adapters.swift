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

/// What can be done in processes of their own.
enum Services {
    private static var all: [any WorkerService.Type] {
        [PictureService.self, DrawingService.self, UnpackingService.self]
    }

    /// Serves as a worker of a kind; returns where there is none of it.
    static func serve(_ kind: String) {
        if let service = all.first(where: { $0.id == kind }) { WorkerExchange.serve(service) }
    }
}

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
