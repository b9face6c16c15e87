internal import Files
internal import Testing

@Suite struct StemTests {
    /// Only known extensions are cut off, also where there are two of them.
    @Test(arguments: [
        ("a/Dr. Slump v01", "Dr. Slump v01"), ("Vol.1.cbz", "Vol.1"), ("Vol.1", "Vol.1"), ("x.CBZ/", "x"),
        (".cbz", ".cbz"), ("x.tar.gz", "x"), ("x.gz", "x.gz"), ("x.rar", "x"), ("x.part01.rar", "x"),
        ("x.part1.cbz", "x.part1"), ("x.kepub.cbz", "x.kepub"), ("x.cbz.001", "x"), ("x.cbz.01", "x"),
        ("x.cbz.1", "x.cbz.1"), ("x.001", "x.001"), ("x", "x"),
        ("", ""),
    ])
    func aKnownExtensionIsCut(_ path: String, _ stem: String) {
        #expect(FileName.stem(of: path, extensions: ["cbz", "rar"]) == stem)
    }
}
