import AdapterKit
import Files
import PageModel
import Synchronization
import Testing

@testable import ExternalAdapters
@testable import Processes

/// The change of images by external transforms, as far as it needs no program.
@Suite struct ImageChangeTests {
    private struct NoPreviews: PreviewProvider {
        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) throws -> PagePreview {
            throw AdapterError(.unsupported, "no previews")
        }
    }

    private static let page = Page(id: 3, name: "page 3") { throw AdapterError(.damaged, "not read") }
    private static let raster = Raster(
        size: PixelSize(width: 2, height: 2), format: .gray(bits: 8), samples: [1, 2, 3, 4])

    /// Returns a plug-in whose processes are started by `start`.
    private func change(
        _ settings: [String: String] = [:], start: @escaping @Sendable () -> any Error
    ) throws -> ImageChange {
        let text = """
            {"jisui": [1], "role": "transform", "id": "x", "summary": "X", "images": true,
             "settings": [{"name": "x", "kind": "flag", "help": "A flag"}]}
            """
        let manifest = try PluginManifest(parsing: Array(text.utf8))
        let plugin = Plugin(
            "/nowhere/jisui-transform-x", manifest, PluginLauncher(trampoline: nil), TemporaryFiles())
        let values = try Settings(manifest.descriptor.settings, given: settings)
        let crashes = CrashCounter(includesSlowAnswers: true)
        let workers = PluginWorkerPool(maximum: nil) { PluginWorker("x", crashes) { _ in throw start() } }
        let changer = ImageChanger(plugin, values, TransformRequest(previews: NoPreviews()), workers)
        return ImageChange(page: ImageChangeTests.page, resolution: nil, changer: changer)
    }

    /// A failure in a preview decides: an analysis of the unchanged page would not fit a changed one.
    @Test func pageThatFailedIsNotSentAgain() async throws {
        let counted = Counter()
        let change = try change {
            counted.add()
            return AdapterError(.unsupported, "refused")
        }
        #expect(try await change.preview(of: ImageChangeTests.raster) == ImageChangeTests.raster)
        #expect(counted.count == 1)
        _ = try await change.preview(of: ImageChangeTests.raster)
        let error = await #expect(throws: AdapterError.self) { _ = try await change.apply(to: ImageChangeTests.raster) }
        #expect(error?.message.english == "refused" && counted.count == 1)
    }

    @Test func operationsWithTheSameRequestAreEqual() throws {
        let error = { @Sendable in AdapterError(.unsupported, "refused") as any Error }
        let one = try change(start: error)
        #expect(try one == change(start: error) && one.hashValue == change(start: error).hashValue)
        #expect(try one != change(["x": "true"], start: error))
    }

    @Test func reportNamesThePlugin() throws {
        let change = try change { CancellationError() }
        let note = Note(.partIsChanged, ["page": "page 3"], operations: [change.note])
        #expect(note.message.english == "page 3 is changed by jisui-transform-x")
        #expect(note.values["operations"] == "jisui-transform-x")
    }

    /// An answer is not larger than the page needs.
    @Test(arguments: [(PixelFormat.gray(bits: 8), 4), (.rgb(bits: 8), 4), (.rgb(bits: 16), 8)])
    func bytesOfAnAnswerFollowThePage(_ format: PixelFormat, _ bytesPerPixel: Int) {
        let size = PixelSize(width: 10, height: 10)
        let samples = [UInt8](repeating: 0, count: Raster.bytesPerRow(width: 10, format: format) * 10)
        let maximum = ImageAnswer.maximumBytes(for: Raster(size: size, format: format, samples: samples))
        #expect(maximum == 100 * bytesPerPixel + 1 << 20)
    }
}

/// A number that several threads increase.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
