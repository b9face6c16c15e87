package import PageModel

/// The reason that an image cannot be decoded, changed or encoded.
package struct PictureFault: Error, Hashable, Sendable {
    /// The cause of a fault.
    package enum Kind: String, Hashable, Sendable {
        /// The data contradicts itself or ends too early, or the requested change is impossible for this image.
        case damaged
        /// The image may be valid, but jisui, or this machine's libraries, do not support the request; another program may.
        case unsupported
        /// The image needs more memory than is allowed.
        case tooLarge
    }

    package let kind: Kind
    /// A sentence fragment for a person, such as "the PNG ends too early".
    package let message: Message

    package init(_ message: Message, kind: Kind = .damaged) {
        self.kind = kind
        self.message = message
    }
}

extension AdapterError {
    /// The error for an image that cannot be decoded, changed or encoded.
    ///
    /// - Parameter code: the code of the error; nil for that of the fault.
    package init(_ fault: PictureFault, as code: Code? = nil, hint: Message? = nil, page: String? = nil) {
        let own: Code =
            switch fault.kind {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .tooLarge: .tooLarge
            }
        self.init(code ?? own, fault.message, hint: hint, page: page)
    }

    /// Returns the result of work on an image. Its fault becomes an error.
    package static func imaging<Value>(
        as code: Code? = nil, hint: Message? = nil, page: String? = nil, _ body: () throws(PictureFault) -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(error, as: code, hint: hint, page: page)
        }
    }
}

extension PictureFault {
    static func endsTooEarly(_ encoding: ImageEncoding) -> PictureFault {
        PictureFault("the \(encoding.name) ends too early")
    }

    static func isBroken(_ encoding: ImageEncoding, _ detail: Message? = nil) -> PictureFault {
        PictureFault(cannotBeDecoded(encoding, detail))
    }

    /// Returns the fault of a valid image of a kind that jisui or the format's library does not know.
    static func isUnknown(_ encoding: ImageEncoding, _ detail: Message) -> PictureFault {
        PictureFault(cannotBeDecoded(encoding, detail), kind: .unsupported)
    }

    private static func cannotBeDecoded(_ encoding: ImageEncoding, _ detail: Message?) -> Message {
        detail.map { "the \(encoding.name) cannot be decoded (\($0))" } ?? "the \(encoding.name) cannot be decoded"
    }

    static func lacksMemory(_ encoding: ImageEncoding) -> PictureFault {
        PictureFault("there is not enough memory to decode the \(encoding.name)")
    }
}

extension Int {
    /// Returns the bytes of that many pixels; the largest `Int` if that overflows.
    fileprivate func bytes(of bitsPerPixel: Int) -> Int {
        let (bits, overflow) = multipliedReportingOverflow(by: bitsPerPixel)
        return overflow ? .max : bits / 8
    }
}

extension PixelSize {
    /// The memory that any image within the pixel limit may use.
    private static let harmlessBytes = 64 << 20

    /// Refuses an image that is too large, or has no pixels.
    ///
    /// The limit is meant for memory. An image may have as many pixels as are allowed if each needs the three bytes of 8-bit
    /// color. It may have fewer if each needs more.
    ///
    /// - Parameter bitsPerPixel: the bits of a pixel's decoded samples. Nil if they need at most three bytes a pixel, or are not
    ///   known yet.
    func check(_ encoding: ImageEncoding, maximumPixels: Int, bitsPerPixel: Int? = nil) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .isBroken(encoding, "it has no pixels") }
        guard area <= maximumPixels else {
            throw PictureFault(
                "the \(encoding.name) has \(self) pixels, more than the \(maximumPixels) allowed (--max-pixels allows more)",
                kind: .tooLarge)
        }
        if let bitsPerPixel, area.bytes(of: bitsPerPixel) > max(PixelSize.harmlessBytes, maximumPixels.bytes(of: 24)) {
            throw PictureFault(
                "the \(encoding.name) has \(self) pixels of \(bitsPerPixel) bits, which take more memory than "
                    + "the \(maximumPixels) of 24 bits allowed (--max-pixels allows more)",
                kind: .tooLarge)
        }
    }
}
