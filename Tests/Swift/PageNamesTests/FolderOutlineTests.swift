import Files
import PageModel
import PageNames
import Testing

/// Tables of contents made of folders.
@Suite struct FolderOutlineTests {
    /// "title@page", indented by its level.
    private func outline(_ names: [String]) -> [String] {
        let pages = names.enumerated().map { Page(id: $0 + 1, name: $1) { Picture(size: nil, representations: []) } }
        return FolderOutline.items(of: pages).map { item in
            String(repeating: " ", count: item.level) + "\(item.title)@\(item.page ?? 0)"
        }
    }

    @Test(arguments: [
        (["1/1.jpg", "1/2.jpg", "2/1.jpg"], ["1@1", "2@3"]),
        (["S/1/1.jpg", "S/1/2.jpg", "S/2/1.jpg"], ["1@1", "2@3"]),
        (["0.jpg", "v1/c1/1", "v1/c1/2", "v1/c2/1", "v2/1"], ["v1@2", " c1@2", " c2@4", "v2@5"]),
        // The order of the pages may be a ComicInfo's.
        (["b/1.jpg", "a/1.jpg", "b/2.jpg", "a/2.jpg"], ["b@1", "a@2"]),
        (["./a/1.jpg", "a/2.jpg", "a//3.jpg", "b/../c/1.jpg"], ["a@1", "b@4", " c@4"]),
        ([FileName.text(of: [0x91, 0xE6, 0x82, 0x50, 0x98, 0x62]) + "/1", "2/1", "2/2"], ["第１話@1", "2@2"]),
        ([" /1.jpg", " /2.jpg", "2/1.jpg", "3/1.jpg"], ["2@3", "3@4"]),
        (["cover.jpg", "pages/1.jpg", "pages/2.jpg"], []),
        (["S/1.jpg", "S/2.jpg"], []), (["1.jpg", "2.jpg"], []), (["a/1.jpg", "b/1.jpg"], []), ([], []),
        // A slash is one, whatever mark follows it.
        (["a/\u{308}b/1.jpg", "a/\u{308}b/2.jpg", "a/c/1.jpg"], ["\u{308}b@1", "c@3"]),
    ])
    func foldersAreChapters(_ names: [String], _ lines: [String]) {
        #expect(outline(names) == lines)
    }

    /// Names may be as long as a system call takes; of the folders in them the first few count.
    @Test func depthIsBounded() {
        let deep = String(repeating: "a/", count: 2000)
        #expect(outline(["b/1", deep + "1", deep + "2"]).count == 17)
    }
}
