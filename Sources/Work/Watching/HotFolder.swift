public import Conversion
internal import Files
public import PageModel
internal import PageNames

/// A folder that other programs fill, such as a scanner. It finds the books in it that are complete.
///
/// Each call of `look` lists the folder, because network shares report no changes.
public struct HotFolder {
    /// A look at the folder.
    public struct View {
        /// The books that no program seems to write to anymore, and that were not converted.
        public var books: [FoundBooks.Book] = []
        /// The errors that the last look did not have.
        public var errors: [AdapterError] = []
        /// The images directly in the folder, if the last look had none. They are not books.
        public var images: [String] = []
    }

    /// The state of a book: the stamps of its files.
    typealias Stamps = [FileStamp]

    public let path: String
    let registry: Registry
    let journal: JournalUse
    let folders: SourceFolders
    private let known: KnownBooks
    private let patterns: PathPatterns
    private let excluded: [String]
    private let settling: Duration
    private var files: SettledFiles
    /// The files that are not books, with their state.
    private var others: [String: FileStamp] = [:]
    /// The books with which nothing more is to be done, with their state.
    var handled: [String: Stamps] = [:]
    /// The books that are tried again at a later time.
    var delays: [String: Delay] = [:]
    /// The books that changed while they were read.
    var torn: Set<String> = []
    private var errors: Set<AdapterError> = []
    private var hasImages = false

    /// A file that does not open is taken as complete after so many times of settling.
    private static let patience = 10

    /// - Parameters:
    ///   - excluded: the paths to leave out, such as the folder of the outputs.
    ///   - settling: the time without a change after which a file is complete.
    public init(
        _ path: String, _ registry: Registry, _ patterns: PathPatterns, excluding excluded: [String],
        settling: Duration, _ journal: JournalUse, _ folders: SourceFolders
    ) {
        (self.path, self.registry, self.patterns, self.excluded) = (path, registry, patterns, excluded)
        (self.settling, self.journal, self.folders) = (settling, journal, folders)
        files = SettledFiles(after: settling)
        known = KnownBooks(journal.journal)
    }

    /// Lists the folder.
    public mutating func look(_ now: ContinuousClock.Instant = .now) -> View {
        var files = files
        var unknown: [String: FileStamp] = [:]
        let finder = BookFinder(registry, patterns, excluding: excluded, isHotFolder: true) { [self] path in
            guard let (stamp, age) = files.look(at: path, now), age >= settling else { return false }
            if handled[path] != nil || known.contains(path) { return true }
            if others[path] == stamp || isOutput(path) { return false }
            unknown[path] = stamp
            return nil
        }
        let found = finder.books(at: [path])
        for path in found.others { others[path] = unknown[path] ?? others[path] }
        var view = View()
        for book in found.books where delays[book.path].map({ $0.end <= now }) ?? true {
            let looks = book.paths.compactMap { files.look(at: $0, now) }
            guard looks.count == book.paths.count, looks.allSatisfy({ $0.age >= settling }) else { continue }
            if handled[book.path] == looks.map(\.stamp) { continue }
            view.books.append(book)
        }
        let seen = files.forgetOthers()
        self.files = files
        others = others.filter { seen.contains($0.key) }
        handled = handled.filter { seen.contains($0.key) }
        delays = delays.filter { seen.contains($0.key) }
        torn = torn.filter(seen.contains)
        view.errors = found.errors.filter { !errors.contains($0) }
        errors = Set(found.errors)
        let images = found.others.filter { PictureName.matches($0) && FileName.parent(of: $0) == root }
        if !hasImages { view.images = images }
        hasImages = !images.isEmpty
        return view
    }

    private var root: String { FileName.withoutSlashAtEnd(path) }

    /// Returns those of settled books that open without damage. A file that ends too early may still be written to, with long
    /// pauses. It counts as complete later.
    ///
    /// - Parameter opens: returns whether a book opens without damage.
    public mutating func complete(
        _ books: [FoundBooks.Book], _ now: ContinuousClock.Instant = .now, opens: (String) async -> Bool
    ) async -> [FoundBooks.Book] {
        var complete: [FoundBooks.Book] = []
        for book in books {
            let ages = book.paths.compactMap { files.look(at: $0, now)?.age }
            guard let age = ages.min(), ages.count == book.paths.count else { continue }
            var isComplete = age >= settling * HotFolder.patience || known.contains(book.path)
            if !isComplete { isComplete = await opens(book.path) }
            if isComplete, !UnfinishedName.isNext(to: book.path), !UnfinishedName.isInside(book.path) {
                complete.append(book)
            } else {
                delays[book.path] = Delay(tries: delays[book.path]?.tries ?? 0, end: now + settling)
            }
        }
        return complete
    }

    /// Returns the state of a book; nil if a part of it is missing.
    func stamps(of book: FoundBooks.Book) -> Stamps? {
        let stamps = book.paths.compactMap { FileStamp(of: $0) }
        return stamps.count == book.paths.count ? stamps : nil
    }

    /// Whether a file is an output of the journal, so that the outputs in a hot folder do not become inputs.
    private func isOutput(_ path: String) -> Bool {
        journal.journal.owner(ofOutput: BookFile.absolute(path)) != nil
    }
}

extension FoundBooks.Book {
    /// The paths of all its files; of a folder only that.
    var paths: [String] { [path] + parts }
}

extension HotFolder {
    /// The time until a book is tried again.
    struct Delay {
        /// The number of tries that failed for now.
        var tries: Int
        var end: ContinuousClock.Instant

        private static let (maximumDoublings, maximum) = (10, Duration.seconds(1800))

        /// Returns the delay after another try, twice as long as the one before.
        static func next(after last: Delay?, _ settling: Duration) -> Delay {
            let tries = (last?.tries ?? 0) + 1
            let time = min(maximum, settling * (1 << min(tries, maximumDoublings)))
            return Delay(tries: tries, end: .now + time)
        }
    }

    mutating func delay(_ book: FoundBooks.Book) {
        delays[book.path] = Delay.next(after: delays[book.path], settling)
    }
}
