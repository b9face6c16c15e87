internal import Scratch

/// The pixels of a PNG or a JPEG as red, green and blue, read without any code of jisui's.
struct PlainPicture {
    struct Unreadable: Error {}

    let width: Int
    let height: Int
    let rgb: [UInt8]

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            let png = try PNGFile(bytes)
            (width, height, rgb) = (png.width, png.height, png.rgb)
            return
        }
        let scratch = try ScratchFolder()
        try scratch.write("page.jpg", bytes)
        let outcome = try Program.outcome("djpeg -rgb -pnm -outfile '\(scratch("page.ppm"))' '\(scratch("page.jpg"))'")
        guard outcome.status == 0 else { throw Unreadable() }
        // "P6", width, height, 255, one byte of space, samples.
        let file = try scratch.read("page.ppm")
        let header = file.prefix(40).split(whereSeparator: { $0 == 10 || $0 == 32 }).prefix(4)
        let numbers = header.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard file.starts(with: Array("P6".utf8)), numbers.count == 3, let last = header.last else {
            throw Unreadable()
        }
        (width, height) = (numbers[0], numbers[1])
        rgb = Array(file[(last.endIndex + 1)...])
    }
}
