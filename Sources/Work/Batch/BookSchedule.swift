internal import AdapterKit
internal import Conversion
internal import Files
internal import OrderedWork

/// The order of the books in work: small books are converted side by side, with one page of each at a time. Any other book
/// is converted alone, with several pages at a time.
///
/// All books together thus have as many pages in work as one book may have, and as much memory.
struct BookSchedule: Sendable {
    /// The number of pages that may be in work at once.
    private let width: Int
    let isSideBySide: Bool
    /// The maximum number of books between the first that is not finished and the last that has begun.
    let window: Int
    private let places: MemoryBudget
    private let memory: MemoryBudget

    /// The maximum size of a small book. A larger one has enough pages for all processors.
    private static let maximumBytes = 16 << 20
    /// The minimum number of small books for each page in work. With fewer, processors would be idle at the end.
    private static let minimumRounds = 2
    private static let windowRounds = 8

    init(_ books: [BatchBook]) {
        width = books.first?.job.width ?? 1
        let small = books.lazy.filter(BookSchedule.isSmall).prefix(BookSchedule.minimumRounds * width).count
        isSideBySide = width > 1 && small == BookSchedule.minimumRounds * width
        window = BookSchedule.windowRounds * width
        places = MemoryBudget(bytes: width)
        memory = MemoryBudget(bytes: max(books.first?.job.limits.memory ?? 0, width * (64 << 20)))
    }

    private static func isSmall(_ book: BatchBook) -> Bool {
        guard !book.isInCollection, !book.job.destination.isStandardOutput else { return false }
        var bytes = 0
        for input in book.job.inputs {
            guard let stamp = FileStamp(of: input.path) else { continue }
            bytes += stamp.byteCount
            if bytes > maximumBytes { return false }
        }
        return true
    }

    /// Performs the work on a book when its turn has come.
    ///
    /// - Parameter work: gets the book with the number of pages that it may have in work.
    /// - Throws: `CancellationError`; the errors of the work.
    func perform<Result: Sendable>(
        _ book: BatchBook, _ work: @escaping @Sendable (BatchBook) async throws -> Result
    ) async throws -> Result {
        guard BookSchedule.isSmall(book) else {
            return try await places.withReservation(for: width) { try await work(book) }
        }
        var book = book
        book.job.width = 1
        return try await places.withReservation(for: 1) { [book] in
            try await MemoryBudget.sharing(memory) { try await work(book) }
        }
    }
}
