import OrderedJSON
import PageModel
import Processes
import Testing

/// The messages between jisui and its worker processes.
@Suite struct WorkerAnswerTests {
    private static let formats: [PixelFormat] = [
        .gray(bits: 1), .gray(bits: 2), .gray(bits: 4), .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgb(bits: 16),
        .grayAlpha(bits: 8), .grayAlpha(bits: 16), .rgba(bits: 8), .rgba(bits: 16),
        .palette(bits: 1, colors: [1, 2, 3, 4, 5, 6]), .palette(bits: 8, colors: [9, 8, 7]),
    ]

    private func picture(_ format: PixelFormat) -> DecodedImage {
        let size = PixelSize(width: 5, height: 3)
        let count = 3 * Raster.bytesPerRow(width: 5, format: format)
        return DecodedImage(
            raster: Raster(
                size: size, format: format, samples: (0..<count).map { UInt8($0 & 0xFF) },
                resolution: Resolution(horizontal: 300, vertical: 299.5), iccProfile: [7, 7]),
            diagnostics: ["one", "two"], loss: "converted from CMYK to RGB")
    }

    /// As it comes through the wire: text and back.
    private func sent(_ answer: WorkerAnswer) throws -> WorkerAnswer {
        WorkerAnswer(try #require(JSON(parsing: Array(answer.end.compactText.utf8))), answer.parts)
    }

    @Test(arguments: formats) func picturesArriveAsTheyWere(_ format: PixelFormat) throws {
        var image = picture(format)
        let arrived = try #require(DecodedImage(sent(WorkerAnswer(image))))
        #expect(arrived.raster == image.raster)
        #expect(arrived.diagnostics == image.diagnostics && arrived.loss == image.loss)
        (image.raster.iccProfile, image.raster.resolution, image.loss) = (nil, nil, nil)
        let plain = try #require(DecodedImage(sent(WorkerAnswer(image))))
        #expect(plain.raster == image.raster && plain.loss == nil)
    }

    /// A compromised process may send anything.
    @Test func malformedPictureIsRejected() throws {
        let sound = WorkerAnswer(picture(.palette(bits: 8, colors: [9, 8, 7])))
        func changed(_ key: String, _ value: JSON) -> WorkerAnswer {
            let members = (sound.end.members ?? []).map { ($0.key, $0.key == key ? value : $0.value) }
            return WorkerAnswer(.object(members.map { (key: $0.0, value: $0.1) }), sound.parts)
        }
        #expect(DecodedImage(sound) != nil)
        for size: JSON in [
            [5, 4], [0, 3], [-5, -3], [5], "5x3", [.integer(.max), .integer(.max)], [2_147_483_648, 2_147_483_648],
        ] {
            #expect(DecodedImage(changed("size", size)) == nil)
        }
        for bits: JSON in [0, 3, 64, -8, "8"] { #expect(DecodedImage(changed("bits", bits)) == nil) }
        #expect(DecodedImage(changed("format", "cmyk")) == nil)
        #expect(DecodedImage(WorkerAnswer(sound.end, [])) == nil)
        #expect(DecodedImage(WorkerAnswer(sound.end, [sound.parts[0]])) == nil)
        #expect(DecodedImage(WorkerAnswer(sound.end, [sound.parts[0], [1, 2]])) == nil)
        #expect(DecodedImage(WorkerAnswer([:], [[1]])) == nil)
    }

    /// But for the file and the page, which who asked knows better.
    @Test func errorsArriveWhole() throws {
        let error = AdapterError(.tooLarge, "is too large", hint: "less", cause: "c")
        var extended = error
        (extended.file, extended.page) = ("a", "b")
        let answer = try #require(JSON(parsing: Array(extended.asAnswer.compactText.utf8)))
        #expect(AdapterError(answer: answer) == error)
        let bare = AdapterError(.damaged, "is damaged")
        #expect(AdapterError(answer: bare.asAnswer) == bare)
        #expect(AdapterError(answer: ["ok": true]) == nil)
        // A process has no say in how jisui was used.
        for code: JSON in ["unheard-of", "usage", "exists"] {
            #expect(AdapterError(answer: ["error": code, "message": "m"]) == AdapterError(.damaged, "m"))
        }
    }

    /// The receiving process translates them.
    @Test(
        arguments: [
            "the data is not a JPEG", "the \("PNG") ends too early", "\("a" as Message)", Message(verbatim: "{0}"),
            "\("b.cbz"): \("page \(3)" as Message) (\("left" as Message))",
        ] as [Message])
    func messagesArriveWithTheirPatterns(message: Message) throws {
        let answer = try #require(JSON(parsing: Array(message.answer.compactText.utf8)))
        let arrived = try #require(Message(answer: answer))
        #expect(arrived.pattern == message.pattern && arrived.values == message.values)
    }

    @Test func invalidMessagesAreRejected() {
        for json: JSON in [.null, 3, [], ["{0}{0}", "a"], [3], ["a", 3], ["a", [3]], ["a", []], .object([])] {
            #expect(Message(answer: json) == nil)
        }
    }
}
