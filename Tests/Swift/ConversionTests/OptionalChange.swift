import AdapterKit
import PageModel

/// An operation that a page can do without. It fails, finds nothing to change, or succeeds.
struct OptionalChange: OmittableOperation {
    static let id = "optional"

    enum Result: Sendable {
        case unchanged
        case failed(AdapterError)
        /// The page becomes black.
        case blackened
    }

    let result: Result
    var workingCopies = 0
    var workingBytes = 0
    let omission = Omission()

    init(_ result: Result = .unchanged, workingCopies: Int = 0, workingBytes: Int = 0) {
        self.result = result
        (self.workingCopies, self.workingBytes) = (workingCopies, workingBytes)
    }

    var note: Note { Note(.operation, ["name": "tried"], text: "tried") }

    var keepsGray: Bool { false }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "page-not-changed", page: 1, subject: "page 1", message: error.message)
    }

    func apply(to raster: Raster) throws -> Raster {
        switch result {
        case .unchanged: throw UnchangedPage()
        case .failed(let error): throw error
        case .blackened:
            return Raster(
                size: raster.size, format: .gray(bits: 8), samples: [UInt8](repeating: 0, count: raster.size.area))
        }
    }

    func preview(of raster: Raster) throws -> Raster {
        if case .blackened = result { try apply(to: raster) } else { raster }
    }

    static func == (one: OptionalChange, other: OptionalChange) -> Bool { one.omission === other.omission }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(omission)) }
}
