import PageModel
import Scratch

/// Other people's decoders.
enum ReferenceTool {
    struct Refused: Error {
        let command: String
    }

    /// What a command makes of a file, which it finds at `in` and answers at `out` with the given ending.
    static func output(_ command: String, _ file: [UInt8], as ending: String) throws -> [UInt8] {
        let folder = try ScratchFolder()
        try folder.write("in", file)
        guard Program.run("cd \(folder.path) && \(command)") == 0 else { throw Refused(command: command) }
        return try folder.read("out\(ending)")
    }

    /// The picture that dwebp sees, written as PNG: always in color.
    static func webp(_ file: [UInt8]) throws -> Raster {
        try PNGReader(try output("dwebp in -o out.png", file, as: ".png")).raster
    }

    /// The picture that djxl sees.
    static func jxl(_ file: [UInt8]) throws -> Raster {
        try PNGReader(try output("mv in in.jxl && djxl in.jxl out.png", file, as: ".png")).raster
    }
}
