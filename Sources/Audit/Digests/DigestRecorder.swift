internal import Conversion
internal import Imaging
internal import PageModel
internal import Planning
internal import Synchronization

/// The digests that a run is to compute.
struct DigestRequest: Hashable, Sendable {
    /// Whether a report contains digests.
    var areReported: Bool
    /// Whether the finished output is compared by digests.
    var areCompared: Bool

    /// Nil if no digests are requested; then jisui computes nothing.
    init?(_ job: Job) {
        guard (job.findsDigests || job.verifies) && !job.isDryRun else { return nil }
        (areReported, areCompared) = (job.findsDigests, job.verifies)
    }
}

/// Computes digests of a page's image, and of the images of its parts, while they are read and decoded for another purpose.
///
/// An image that is not read or not decoded gets no digest, so that the only cost is the hashing.
final class DigestRecorder: PageObserver {
    let digestRequest: DigestRequest
    /// The digests, by the names of pages.
    private let finds = Mutex<[String: PageDigests.Found]>([:])

    init(_ digestRequest: DigestRequest) {
        self.digestRequest = digestRequest
    }

    /// Returns what makes the recorder of a page; nil for a job without digests.
    static func observers(of job: Job) -> (@Sendable () -> any PageObserver)? {
        guard let request = DigestRequest(job) else { return nil }
        return { DigestRecorder(request) }
    }

    /// Returns the digests found for a page, by its name.
    func found(of name: String) -> PageDigests.Found {
        finds.withLock { $0[name] } ?? PageDigests.Found()
    }

    /// Returns an image whose bytes are hashed when they are read.
    func observing(_ picture: Picture, of name: String) -> Picture {
        var picture = picture
        picture.representations = picture.representations.map { representation in
            switch representation {
            case .encoded(var encoded):
                let cover: SourceDigest.Cover = encoded.repair == nil ? .image : .repairedImage
                encoded.read = { [read = encoded.read] in
                    let file = try await read()
                    self.note(file.bytes, of: name, cover)
                    return file
                }
                return .encoded(encoded)
            case .sampled(var sampled):
                guard digestRequest.areReported, let stored = sampled.readStored else { return representation }
                sampled.read = { [read = sampled.read] in
                    let image = try await read()
                    // Damage shows in the samples.
                    if let bytes = try? await stored() { self.note(bytes, of: name, .stream) }
                    return image
                }
                return .sampled(sampled)
            case .drawn: return representation
            case .joined(var joined):
                for index in joined.parts.indices {
                    let part = joined.parts[index]
                    joined.parts[index].picture = observing(part.picture, of: part.page.name)
                }
                return .joined(joined)
            }
        }
        return picture
    }

    var needsPixels: Bool { digestRequest.areReported }

    func decoded(_ raster: Raster, of name: String) {
        guard digestRequest.areReported else { return }
        let digest = PixelDigest(raster)
        finds.withLock { $0[name, default: PageDigests.Found()].pixels = digest }
    }

    /// Hashes the stored image of a page that is copied with its document.
    ///
    /// An image with an overlay gets no digest: reading it merges the overlay. An image that cannot be read gets none either.
    func copied(_ picture: Picture, of name: String) async throws {
        guard digestRequest.areReported else { return }
        do {
            switch picture.representations.first {
            case .encoded(let encoded) where encoded.overlay == nil:
                note(try await encoded.read().bytes, of: name, encoded.repair == nil ? .image : .repairedImage)
            case .sampled(let sampled) where sampled.overlay == nil:
                if let bytes = try await sampled.readStored?() { note(bytes, of: name, .stream) }
            default: break
            }
        } catch {
            try Task.checkCancellation()
        }
    }

    private func note(_ bytes: [UInt8], of name: String, _ cover: SourceDigest.Cover) {
        // Two reads return the same bytes.
        let digest = found(of: name).source ?? SourceDigest(hex: SHA256.hexDigest(of: bytes), cover: cover)
        finds.withLock { $0[name, default: PageDigests.Found()].source = digest }
    }

    func made(_ raster: Raster) -> (any Sendable)? {
        digestRequest.areCompared ? PixelDigest(raster, isUniform: true) : nil
    }

    func converted(_ page: Page, _ plan: PagePlan, _ result: PageResult) -> (any Sendable)? {
        PageDigests(self, page, plan, result)
    }
}
