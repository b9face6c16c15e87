internal import AdapterKit
internal import PageModel

/// The file or the folder that a strip becomes.
final class StripOutput {
    private enum Place {
        case file(OutputFile)
        case folder(OutputFolder)
    }

    private let place: Place
    private let format: ImageEncoding

    init(_ destination: Destination, _ options: StripOptions) throws(AdapterError) {
        format = options.format
        if options.most == nil && !options.isTiled {
            place = .file(try OutputFile(at: destination))
        } else {
            let isOurs = options.isTiled ? TilePyramid.matches : PageFileName.matches
            place = .folder(try OutputFolder(at: destination, isOurs: isOurs))
        }
    }

    /// Adds a whole file; its name matters only in a folder.
    func add(_ bytes: [UInt8], named name: String) throws(AdapterError) {
        switch place {
        case .file(let file): try file.write(bytes)
        case .folder(let folder): try folder.add(name, bytes)
        }
    }

    /// Takes the bytes of a slice as they come: into the file, or into memory until the slice is whole.
    func receiver(slice: Int, of count: Int) -> StripReceiver {
        switch place {
        case .file(let file):
            StripReceiver(direct: { bytes throws(AdapterError) in try file.write(bytes) })
        case .folder(let folder):
            StripReceiver(whole: { [format] bytes throws(AdapterError) in
                try folder.add(StripOutput.name(slice, of: count, format), bytes)
            })
        }
    }

    func publish() throws(AdapterError) {
        switch place {
        case .file(let file): try file.publish()
        case .folder(let folder): try folder.publish()
        }
    }

    static func name(_ slice: Int, of count: Int, _ format: ImageEncoding) -> String {
        "\(FileName.number(slice + 1, of: count)).\(format.fileExtension)"
    }
}

/// Passes on the bytes of one file.
final class StripReceiver {
    private var waiting: [UInt8] = []
    private let direct: (([UInt8]) throws(AdapterError) -> Void)?
    private let whole: (([UInt8]) throws(AdapterError) -> Void)?

    init(direct: @escaping ([UInt8]) throws(AdapterError) -> Void) {
        self.direct = direct
        whole = nil
    }

    init(whole: @escaping ([UInt8]) throws(AdapterError) -> Void) {
        direct = nil
        self.whole = whole
    }

    func take(_ bytes: [UInt8]) throws(AdapterError) {
        if let direct { try direct(bytes) } else { waiting += bytes }
    }

    func finish() throws(AdapterError) {
        try whole?(waiting)
        waiting = []
    }
}
