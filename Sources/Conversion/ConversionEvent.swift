public import AdapterKit

/// What happens during a run, for whoever shows it.
public enum ConversionEvent: Sendable {
    /// The book is open and this many pages will be worked on.
    case opened(pageCount: Int)
    /// This many pages are done.
    case finished(pages: Int)
    case warned(Warning)
}
