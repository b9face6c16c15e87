// swift-tools-version: 6.1
import PackageDescription

// A program of its own that uses jisui as a library: it sees nothing but the products.
let package = Package(
    name: "TrimBook",
    dependencies: [.package(name: "jisui", path: "../..")],
    targets: [
        .executableTarget(
            name: "TrimBook",
            dependencies: [
                "PageModel", "Files", "AdapterKit", "Conversion", "Audit", "ArchiveSource", "PDFSource", "Trim",
                "ComicSink",
            ].map {
                .product(name: $0, package: "jisui")
            })
    ]
)
