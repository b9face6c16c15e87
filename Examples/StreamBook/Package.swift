// swift-tools-version: 6.1
import PackageDescription

// A program of its own that uses jisui as a library: it sees nothing but the products.
let package = Package(
    name: "StreamBook",
    dependencies: [.package(name: "jisui", path: "../..")],
    targets: [
        .executableTarget(name: "StreamBook", dependencies: [.product(name: "Jisui", package: "jisui")])
    ]
)
