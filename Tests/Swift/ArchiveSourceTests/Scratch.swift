import AdapterKit
import ArchiveSource
import Files
import Glibc
import PageModel
import Scratch

/// A folder for one test, removed with everything in it.
final class Scratch {
    let path: String

    init() throws {
        path = "/tmp/jisui-archive-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard mkdir(path, 0o700) == 0 else { throw AdapterError.system(.unwritable, "no scratch folder", file: path) }
    }

    deinit {
        for name in (try? FolderListing.names(in: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let place = "\(path)/\(name)"
        // No fsync: tests write thousands of these.
        guard let file = fopen(place, "w") else { throw AdapterError.system(.unwritable, "cannot write", file: place) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw AdapterError.system(.unwritable, "cannot write", file: place)
        }
        return place
    }

    /// Opens bytes as an archive.
    func open(
        _ bytes: [UInt8], as name: String = "book.cbz", password: String? = nil, encoding: String? = nil,
        limits: Limits = Limits()
    ) async throws -> OpenedBook {
        try await openArchive(try file(name, bytes), password: password, encoding: encoding, limits: limits)
    }
}

func openArchive(
    _ path: String, password: String? = nil, encoding: String? = nil, limits: Limits = Limits()
) async throws -> OpenedBook {
    let source = ArchiveSource()
    let given = encoding.map { ["filename-encoding": $0] } ?? [:]
    let settings = try Settings(source.descriptor.settings, given: given)
    return try await source.open(Input(path: path, password: password), settings: settings, limits: limits)
}

/// The path of a fixture: `good/rar4.rar`.
func fixture(_ name: String) -> String {
    let parts = name.split(separator: "/")
    return "\(BuiltJisui.fixtures)/\(parts[0])/ArchiveSource/\(parts[1])"
}

extension OpenedBook {
    var names: [String] { sequence.pages.map(\.name) }

    /// The bytes of a page, from 0.
    func bytes(_ index: Int) async throws -> [UInt8] {
        guard case .encoded(let picture) = try await sequence.pages[index].examine().representations[0] else {
            return []
        }
        return try await picture.read().bytes
    }

    /// The images of all pages.
    func pictures() async throws -> [EncodedPicture] {
        var pictures: [EncodedPicture] = []
        for page in sequence.pages {
            if case .encoded(let picture) = try await page.examine().representations[0] { pictures.append(picture) }
        }
        return pictures
    }

    /// What is known to be wrong with a page, from 0, once its bytes were read.
    func defects(_ index: Int) async throws -> [Message] {
        let picture = try await sequence.pages[index].examine()
        guard case .encoded(let encoded) = picture.representations[0] else { return [] }
        return picture.knownDefects + [try await encoded.read().defect].compactMap(\.self)
    }
}

/// The error that `body` throws, if it throws one of ours.
func failure<Result>(_ body: () async throws -> Result) async -> AdapterError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? AdapterError
    }
}
