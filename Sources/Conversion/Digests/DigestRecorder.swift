internal import AdapterKit
internal import Imaging
internal import PageModel
internal import Synchronization

/// Which digests a run is to find.
struct DigestWish: Hashable, Sendable {
    /// Those that a report tells.
    var areReported: Bool
    /// Those that the finished output is compared by.
    var areCompared: Bool

    /// Nil where none are wanted: then nothing is computed.
    init?(_ job: Job) {
        guard (job.findsDigests || job.verifies) && !job.isDryRun else { return nil }
        (areReported, areCompared) = (job.findsDigests, job.verifies)
    }
}

/// Finds digests of a page's picture, and of the pictures of its parts, while they are read and decoded for another purpose.
///
/// A picture that nothing reads, or that nothing decodes, gets no digest: none costs more than the hashing.
final class DigestRecorder: Sendable {
    let wish: DigestWish
    private let found = Mutex<[String: PageDigests.Found]>([:])

    init(_ wish: DigestWish) {
        self.wish = wish
    }

    /// What was found of a page, by its name.
    func found(of name: String) -> PageDigests.Found {
        found.withLock { $0[name] } ?? PageDigests.Found()
    }

    /// A picture whose bytes are seen when they are read.
    func watching(_ picture: Picture, of name: String) -> Picture {
        var picture = picture
        picture.representations = picture.representations.map { representation in
            switch representation {
            case .encoded(var encoded):
                let cover: SourceDigest.Cover = encoded.repair == nil ? .picture : .repairedPicture
                encoded.read = { [read = encoded.read] in
                    let bytes = try await read()
                    self.note(bytes, of: name, cover)
                    return bytes
                }
                return .encoded(encoded)
            case .sampled(var sampled):
                guard wish.areReported, let stored = sampled.readStored else { return representation }
                sampled.read = { [read = sampled.read] in
                    let image = try await read()
                    // What is damaged shows in the samples.
                    if let bytes = try? await stored() { self.note(bytes, of: name, .stream) }
                    return image
                }
                return .sampled(sampled)
            case .drawn: return representation
            case .joined(var joined):
                for index in joined.parts.indices {
                    let part = joined.parts[index]
                    joined.parts[index].picture = watching(part.picture, of: part.page.name)
                }
                return .joined(joined)
            }
        }
        return picture
    }

    /// Notes the pixels of a page before anything is done to them.
    func note(_ raster: Raster, of name: String) {
        guard wish.areReported else { return }
        let digest = PixelDigest(raster)
        found.withLock { $0[name, default: PageDigests.Found()].pixels = digest }
    }

    private func note(_ bytes: [UInt8], of name: String, _ cover: SourceDigest.Cover) {
        // Two reads give the same bytes.
        guard found(of: name).source == nil else { return }
        let digest = SourceDigest(hex: SHA256.hexDigest(of: bytes), cover: cover)
        found.withLock { $0[name, default: PageDigests.Found()].source = digest }
    }
}

/// A recorder, for one of the pages it records.
struct PageDigester: Sendable {
    let recorder: DigestRecorder
    var name: String

    func note(_ raster: Raster) { recorder.note(raster, of: name) }
}
