import AdapterKit
import Files
import PageModel
import Scratch
import Synchronization
import Testing

@testable import ExternalAdapters
@testable import Processes

/// Transforms that change images, with a program that answers.
@Suite(.needs("python3")) struct ImageProgramTests {
    /// Shows the same image of every page, and records the edits that the image should have.
    private final class Previews: PreviewProvider {
        private let list = Mutex<[[PageEdit]]>([])

        /// Returns the recorded edits, and forgets them: the change of an image holds the previews that it was made with.
        func takeEdits() -> [[PageEdit]] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }

        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) -> PagePreview {
            list.withLock { $0.append(page.edits) }
            return PagePreview(raster: ImageProgramTests.raster, size: ImageProgramTests.raster.size)
        }
    }

    /// Keeps all pages and makes negatives of pages of eight bits. Its first option selects a fault.
    private static let program = """
        #!/usr/bin/env python3
        import json, os, re, socket
        host = socket.socket(fileno=3)
        lines = iter(host.makefile("rb"))
        def say(**answer): host.sendall(json.dumps(answer).encode() + b"\\n")
        for line in lines:
            ask = json.loads(line)
            if ask["ask"] == "hello":
                fault = ask["settings"]["x"]
                say(ok=True, version=1)
            elif ask["ask"] == "change":
                wanted = {"text" if fault == "text" else "image": True}
                for _ in range(ask["count"]): say(page=json.loads(next(lines))["page"], **wanted)
                say(ok=True)
            elif fault == "dpi": say(error="damaged", id=ask["id"], message=f"dpi {ask['dpi']}")
            elif fault == "unchanged": say(ok=True, id=ask["id"], bytes=None)
            elif fault == "huge": say(ok=True, id=ask["id"], bytes=1 << 30)
            elif fault == "text":
                say(line=[[0, 0, 0.5, 0.25, "word"]])
                say(ok=True)
            elif fault == "anonymous": say(ok=True)
            else:
                page = os.pread(4, ask["bytes"], 0)
                head = re.match(rb"P[56]\\s+\\d+\\s+\\d+\\s+\\d+\\s", page)[0]
                say(ok=True, id=ask["id"], bytes=os.pwrite(4, head + bytes(255 - s for s in page[len(head):]), 0))

        """

    private static let manifest = """
        {"jisui": [1], "role": "transform", "id": "x", "summary": "X", "images": true,
         "settings": [{"name": "x", "kind": "text", "help": "A fault"}]}
        """

    private static let raster = Raster(
        size: PixelSize(width: 2, height: 2), format: .gray(bits: 8), samples: [1, 2, 3, 254],
        resolution: Resolution(72))

    private let scratch: ScratchFolder
    private let warnings = Warnings()
    private let previews = Previews()

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("jisui-transform-x", Array(Self.program.utf8))
        #expect(try Program.outcome("chmod 755 jisui-transform-x", in: scratch.path).status == 0)
    }

    /// Returns a page after the program's `change`.
    private func changed(_ picture: Picture, _ fault: String = "none", after edits: [PageEdit] = []) async throws
        -> Page
    {
        let text = fault == "text" ? Self.manifest.replacing(#""images": true,"#, with: "") : Self.manifest
        let manifest = try PluginManifest(parsing: Array(text.utf8))
        let plugin = Plugin(
            scratch("jisui-transform-x"), manifest, PluginLauncher(trampoline: nil), TemporaryFiles())
        let settings = try Settings(manifest.descriptor.settings, given: ["x": fault])
        let request = TransformRequest(previews: previews, report: warnings.add)
        let page = Page(id: 7, name: "page 7", edits: edits) { picture }
        let sequence = PageSequence(book: BookMetadata(), pages: [page])
        return try #require(try await ExternalTransform(plugin).apply(to: sequence, settings, request).pages.first)
    }

    private func change(_ fault: String = "none", paper: Paper? = nil) async throws -> any PageOperation {
        let size = PixelSize(width: 600, height: 800)
        let picture = Picture(
            size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })], paper: paper)
        return try #require(try await changed(picture, fault).edits.first?.operation)
    }

    @Test func pixelsAreChanged() async throws {
        let operation = try await change()
        let result = try await operation.apply(to: Self.raster)
        #expect(result.samples == [254, 253, 252, 1] && result.resolution == Resolution(72))
        #expect(try await operation.apply(to: Self.raster) == result)
    }

    /// A missing value may also be null.
    @Test func pageWithoutAnAnswerIsUnchanged() async throws {
        let operation = try await change("unchanged")
        await #expect(throws: UnchangedPage.self) { try await operation.apply(to: Self.raster) }
    }

    /// The image may state another resolution than the page has on paper.
    @Test func resolutionIsThatOfThePage() async throws {
        let paper = Paper(mediaBox: [0, 0, 144, 192], cropBox: [0, 0, 144, 192], rotation: 0, userUnit: 1)
        for (paper, text) in [(paper, "dpi 300"), (nil, "dpi 72")] {
            let operation = try await change("dpi", paper: paper)
            let error = await #expect(throws: AdapterError.self) { try await operation.apply(to: Self.raster) }
            #expect(error?.message.english.hasPrefix(text) == true)
        }
    }

    /// They are refused before they are read: the buffer has fewer.
    @Test func tooManyBytesAreRefused() async throws {
        let operation = try await change("huge")
        let error = await #expect(throws: AdapterError.self) { try await operation.apply(to: Self.raster) }
        #expect(error?.code == .tooLarge)
    }

    @Test func answerWithoutItsPageIsRefused() async throws {
        let operation = try await change("anonymous")
        let error = await #expect(throws: AdapterError.self) { try await operation.apply(to: Self.raster) }
        #expect(error?.message.english.contains("without the 'id'") == true)
    }

    /// A plug-in that recognizes text comes after one that cleans pages.
    @Test func textIsReadFromTheChangedImage() async throws {
        let size = PixelSize(width: 600, height: 800)
        let picture = Picture(
            size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })])
        let change = PageEdit.change(try await self.change())
        let crop = PageEdit.move(.crop(PixelRect(x: 1, y: 1, width: 500, height: 500)))
        let turn = PageEdit.move(.turn(quarters: 1))
        for edits in [[turn, change, crop], [crop, turn, change]] {
            let page = try await changed(picture, "text", after: edits)
            let lines = try await page.recognition?.read?(page)
            #expect(lines?.map(\.turns) == [3])
            let area = try #require(lines?.first?.words.first?.area)
            #expect(abs(area.left) < 1e-9 && abs(area.right - 0.25) < 1e-9)
            #expect(abs(area.top - 0.5) < 1e-9 && abs(area.bottom - 1) < 1e-9)
        }
        // Without the crop, the words are on the whole page. The change was made for the cropped page.
        #expect(previews.takeEdits() == [[turn, change], [turn]])
    }

    /// Text is read from a cleaned page as it is cropped; later edits are for looks.
    @Test func textIsReadFromALegiblePage() async throws {
        let size = PixelSize(width: 600, height: 800)
        let picture = Picture(
            size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })])
        let crop = PageEdit.move(.crop(PixelRect(x: 150, y: 200, width: 300, height: 400)))
        var page = try await changed(picture, "text", after: [])
        page.edits = [crop, .change(Restored()), crop]
        for part in [page.recognition, page.recognition?.shared(by: 2)] {
            let lines = try await part?.read?(page)
            let area = try #require(lines?.first?.words.first?.area)
            #expect(abs(area.left - 0.25) < 1e-9 && abs(area.right - 0.5) < 1e-9)
            #expect(abs(area.top - 0.25) < 1e-9 && abs(area.bottom - 0.375) < 1e-9)
            #expect(previews.takeEdits() == [[crop, .change(Restored())]])
        }
    }

    /// The preview of a page that another program made black and white has one bit a pixel.
    @Test func programsSeeEightBitsOfGray() async throws {
        struct Bilevel: PreviewProvider {
            func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) -> PagePreview {
                let size = PixelSize(width: 2, height: 1)
                return PagePreview(raster: Raster(size: size, format: .gray(bits: 1), samples: [0x80]), size: size)
            }
        }
        let page = try await changed(Picture(size: nil, representations: []), "text", after: [])
        #expect(try await Bilevel().gray(page, 100).file == Array("P5\n2 1\n255\n".utf8) + [255, 0])
    }

    /// An operation that changes nothing but makes the page legible.
    private struct Restored: PageOperation {
        static let id = "restored"
        var note: Note { Note(Note.Code("restored", "restored")) }
        var makesLegible: Bool { true }
        func apply(to raster: Raster) -> Raster { raster }
    }

    /// Such a page can only be copied.
    @Test func pageOfUnknownSizeStays() async throws {
        let picture = Picture(
            size: nil, representations: [.encoded(EncodedPicture(encoding: .jpegXL, size: nil) { [] })])
        #expect(try await changed(picture).edits.isEmpty)
        #expect(warnings.codes == ["page-not-changed"])
    }
}

/// The warnings of a transform.
private final class Warnings: Sendable {
    private let list = Mutex<[Warning]>([])

    var codes: [String] { list.withLock { $0.map(\.code) } }

    func add(_ warning: Warning) { list.withLock { $0.append(warning) } }
}
