public import Conversion
public import PageModel

/// An event of a batch, for the user interface.
public enum BatchEvent: Sendable {
    /// An input cannot be read. It may contain books, which are not among those of the batch.
    case unreadable(AdapterError)
    /// Work on a book has begun.
    case began(BatchBook)
    /// An event of the book's conversion. It may come from any task.
    case converting(BatchBook, ConversionEvent)
    /// A book was converted, or planned in a dry run.
    case finished(BatchBook, Report)
    /// A book could not be converted. The batch goes on with the next one.
    case failed(BatchBook, AdapterError)
    /// Work on a book has ended, successfully or not.
    case ended(BatchBook)
    /// The file of reports could not be written. The books are converted nevertheless, and their reports are lost.
    case reportFailed(AdapterError)
    /// Work on all books has ended. Only the files about all books of a collection are still written.
    case completed(BatchResult)
}
