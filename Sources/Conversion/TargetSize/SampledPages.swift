internal import AdapterKit
internal import Imaging
internal import OrderedWork
internal import PageModel
internal import Planning

/// Some pages of a book, encoded with several qualities.
struct SampledPages {
    private let conversion: Conversion
    private let book: TransformedBook
    private let adapters: RunAdapters
    private let capabilities: SinkCapabilities
    private let pages: [Page]
    /// The number of pages that the output gets for each sampled page.
    private let ratio: Double
    /// The bytes of the book by quality; 0 stands for the quality of the sources.
    private var sizes: [Int: Double] = [:]
    /// Whether the sizes of all pages are known.
    private(set) var areMeasured = true
    /// Whether pages of documents are copied.
    private(set) var haveCopies = false

    /// The bounds of the number of pages.
    private static let counts = 4...12
    /// The share of the pages, if that is within the bounds.
    private static let share = 16

    init(of whole: TransformedBook, _ conversion: Conversion, _ adapters: RunAdapters, _ capabilities: SinkCapabilities)
    {
        (self.conversion, self.adapters, self.capabilities) = (conversion, adapters, capabilities)
        book = whole
        let all = whole.sequence.pages
        let bounds = SampledPages.counts
        let count = min(all.count, max(bounds.lowerBound, min(bounds.upperBound, all.count / SampledPages.share)))
        pages = (0..<count).map { all[(2 * $0 + 1) * all.count / (2 * count)] }
        ratio = Double(all.count) / Double(max(1, count))
    }

    /// Returns the estimate of the book's size.
    ///
    /// - Parameter quality: nil for the quality of the sources.
    mutating func bytes(at quality: Int?) async throws -> Double {
        if let known = sizes[quality ?? 0] { return known }
        let contents = try await contents(at: quality).flatMap { $0 }
        if contents.contains(where: { $0.byteCount == nil }) { areMeasured = false }
        if contents.contains(where: \.isCopied) { haveCopies = true }
        let bytes = contents.reduce(0) { $0 + ($1.byteCount ?? VolumeDivider.unknownPage) + VolumeDivider.bytesPerPage }
        sizes[quality ?? 0] = Double(bytes) * ratio
        return Double(bytes) * ratio
    }

    /// Returns the greatest difference between a page at a quality and the page at that of the sources.
    ///
    /// - Parameter levels: the gray levels of the screen.
    func difference(at quality: Int, levels: Int) async throws -> Double {
        let (natural, lowered) = (try await contents(at: nil), try await contents(at: quality))
        var largest = 0.0
        for (one, other) in zip(natural, lowered) {
            for (one, other) in zip(one, other) {
                try Task.checkCancellation()
                guard let one = raster(of: one), let other = raster(of: other) else { continue }
                largest = max(largest, DetailDifference(one, other, levels: levels)?.rootMeanSquare ?? 0)
            }
        }
        return largest
    }

    private func raster(of content: FinishedPage.Content) -> Raster? {
        guard case .encoded(let page) = content else { return nil }
        return try? PictureDecoder.decode(page.bytes, page.encoding, maximumPixels: conversion.job.limits.pixels).raster
    }

    /// Returns the contents of the pages with a quality. Pages that cannot be read have none.
    private func contents(at quality: Int?) async throws -> [[FinishedPage.Content]] {
        let own = conversion.with(quality: quality)
        let request = book.request(own.job.destination, adapters.settings)
        let converter = own.converter(book, adapters.sink, request, capabilities, nil)
        var contents: [[FinishedPage.Content]] = []
        try await forEachInOrder(pages, width: own.job.width, within: own.job.memoryBudget) { page in
            let (planned, bytes) = try await converter.plan(page)
            return (planned, bytes)
        } work: { planned in
            try await converter.convert(planned).compactMap { $0.result?.content }
        } body: {
            contents.append($0)
        }
        return contents
    }
}

extension Conversion {
    /// Returns the conversion with a quality that no page exceeds; nil for that of the sources.
    func with(quality: Int?) -> Conversion {
        var job = job
        (job.encoding.quality, job.encoding.isLimit) = (quality, quality != nil)
        return Conversion(registry, job, onEvent: onEvent)
    }
}
