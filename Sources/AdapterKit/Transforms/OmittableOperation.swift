public import PageModel
internal import Synchronization

/// An operation that a page can do without: it may fail for a page, or find only then that it has nothing to change.
///
/// If `apply` throws, jisui plans the page again without the operation. `apply` throws `UnchangedPage` if it has
/// nothing to change. The operation keeps the size, so that later edits and the places of text stay right.
public protocol OmittableOperation: PageOperation {
    /// The state of the operation.
    var omission: Omission { get }

    /// Returns the warning about a page that lacks the operation.
    func warning(because error: AdapterError) -> Warning
}

extension OmittableOperation {
    /// Leaves the operation out from now on.
    ///
    /// - Parameter error: the reason; nil if there is nothing to change.
    /// - Returns: the warning. It is nil without a reason, and if the operation is left out already.
    public func omit(because error: AdapterError? = nil) -> Warning? {
        guard omission.begin() else { return nil }
        return error.map(warning)
    }
}

/// The state of an omittable operation. Copies of the operation, for example on both halves of a page, share it.
public final class Omission: Sendable {
    private let hasBegun = Atomic(false)

    public init() {}

    /// Whether the page is planned without the operation.
    public var isOmitted: Bool { hasBegun.load(ordering: .acquiring) }

    /// Leaves the operation out from now on.
    ///
    /// - Returns: whether it was not left out before.
    fileprivate func begin() -> Bool { !hasBegun.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The outcome of an `OmittableOperation` that has nothing to change.
public struct UnchangedPage: Error {
    public init() {}
}
