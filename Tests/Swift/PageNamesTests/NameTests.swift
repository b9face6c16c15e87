import Files
import PageModel
import PageNames
import Testing

@Suite struct NameTests {
    @Test(arguments: [
        ".DS_Store", "a/.hidden/1.jpg", ".1.jpg", "a/.1.jpg", ".Trash-1000/1.jpg", ".b.jisui-1x/1.jpg",
        "__MACOSX/1.jpg", "a/__MACOSX/._1.jpg", "Thumbs.db", "THUMBS.DB",
        "a/desktop.ini", "@eaDir/1.jpg", "#recycle/1.jpg", "~$book.docx", ".@__thumb/1.jpg",
    ])
    func junk(_ path: String) {
        #expect(JunkName.matches(path))
    }

    @Test(arguments: [
        "1.jpg", "a/b.jpg", "thumbs.jpg", "MACOSX/1.jpg", "a.b/c", "～1.jpg", "recycle/1.jpg", "./1.jpg",
        ".hack v1/1.jpg", "...prologue/1.jpg",
    ])
    func noJunk(_ path: String) {
        #expect(!JunkName.matches(path))
    }

    @Test func extensions() {
        #expect(FileName.extension(of: "a/b.JPG") == "jpg")
        #expect(FileName.extension(of: "a.b/c") == "")
        #expect(FileName.extension(of: ".jpg") == "")
        #expect(FileName.extension(of: "a.tar.gz") == "gz")
        #expect(FileName.extension(of: "a.") == "")
    }

    @Test func partsOfPaths() {
        #expect(FileName.last(of: "a/b/") == "b")
        #expect(FileName.last(of: "/") == "/")
        #expect(FileName.parent(of: "a") == ".")
        #expect(FileName.parent(of: "a/") == ".")
        #expect(FileName.parent(of: "/a") == "/")
        #expect(FileName.parent(of: "/a/b/") == "/a")
        #expect(FileName.parent(of: "a//b") == "a/")
    }

    @Test func numbersHaveOneWidth() {
        #expect(FileName.number(1, of: 9) == "0001")
        #expect(FileName.number(9999, of: 9999) == "9999")
        #expect(FileName.number(1, of: 10_000) == "00001")
        #expect(FileName.number(12_345, of: 3) == "12345")
    }

    @Test func pictureNames() {
        #expect(PictureName.matches("a/b.JPEG") && PictureName.matches("x.jxl"))
        #expect(!PictureName.matches("jpg") && !PictureName.matches("a.jpg/b") && !PictureName.matches("a.txt"))
        #expect(PictureName.isKnownOther("ComicInfo.xml") && PictureName.isKnownOther("a.PDF"))
        #expect(!PictureName.isKnownOther("a.jpg") && !PictureName.isKnownOther("a"))
    }

    @Test(arguments: ["0001.jpg", "00001.png", "123456.j2k", "0001.tif"])
    func ourPages(_ name: String) {
        #expect(PageFileName.matches(name))
    }

    @Test(arguments: [
        "1.jpg", "001.jpg", "0001.jpeg", "0001.txt", "0001.JPG", "０００１.jpg", "0001", ".jpg", "0001.a.jpg", "abcd.jpg",
    ])
    func othersPages(_ name: String) {
        #expect(!PageFileName.matches(name))
    }
}
