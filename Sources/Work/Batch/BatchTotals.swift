internal import Audit
internal import Conversion

/// The sums of a batch so far, and the time that is left.
public struct BatchTotals: Sendable {
    /// The number of books that a run converts, without those that are done before.
    public private(set) var books = 0
    public private(set) var done = 0
    public private(set) var withWarnings = 0
    public private(set) var failed = 0
    /// The pages of finished books, and those of the books in work.
    public var pages: Int { finishedPages + pagesInWork.values.reduce(0, +) }
    /// The bytes of the inputs and outputs of finished books.
    public private(set) var inputBytes = 0
    public private(set) var outputBytes = 0
    /// The share of the batch that is done, from 0 to 1, by the sizes of the books.
    public private(set) var share = 0.0
    private var finishedPages = 0
    private var pagesInWork: [Int: Int] = [:]
    private let began = ContinuousClock.now

    public init() {}

    /// The seconds since the beginning.
    public var seconds: Double { (ContinuousClock.now - began) / .seconds(1) }

    public var booksPerSecond: Double { seconds > 0 ? Double(done + failed) / seconds : 0 }

    /// The estimated seconds until the end; nil as long as nothing is known.
    public var secondsLeft: Double? {
        guard share >= BatchTotals.minimumShare, seconds >= 1 else { return nil }
        return seconds * (1 - min(1, share)) / share
    }

    /// The minimum share from which the time left is estimated.
    private static let minimumShare = 0.005

    public mutating func note(_ event: BatchEvent) {
        switch event {
        case .began(let book): books = book.count
        case .converting(let book, .finished(let count)): pagesInWork[book.number] = count
        case .finished(let book, let report):
            end(book)
            done += 1
            if !report.warnings.isEmpty { withWarnings += 1 }
            finishedPages += report.pages.count
            inputBytes += report.inputBytes ?? 0
            outputBytes += report.outputBytes ?? 0
        case .failed(let book, _):
            end(book)
            failed += 1
        case .refused(let books, _):
            self.books = books.first?.count ?? 0
            for book in books { end(book) }
            failed += books.count
        case .converting, .ended, .unreadable, .reportFailed, .completed: break
        }
    }

    private mutating func end(_ book: BatchBook) {
        pagesInWork[book.number] = nil
        share += book.part.upperBound - book.part.lowerBound
    }
}
