import PageModel
import Testing

@testable import Imaging

@Suite struct JoinKeyTests {
    /// The values are Python's, from the description that `JPEGHeader.joinKey(profile:)` makes.
    @Test func theKeyIsTheSameInEveryProcess() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let plain = JoinKey(rawValue: "22ea611b0a572698e6ae610f5864f4b7d12640dd5aa6ca72c126be1e1d083b52")
        let profiled = JoinKey(rawValue: "ba90b76e94dd1746d30d0c6c693eab2f47051cd46091c2e3d1d97c00b787a1a9")
        #expect(PictureHeader(bytes)?.joinKey == plain)
        #expect(JPEGHeader(bytes)?.joinKey(profile: Array("profile".utf8)) == profiled)
        #expect(try PictureHeader(Fixture.bytes("gray.png"))?.joinKey == nil)
    }

    /// The lengths are those about which a block is filled up; the digests are Python's.
    @Test func theDigestIsSHA256() {
        let digests = [
            0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            55: "8af594de0e003fdee5c8bb088216c824349b4137070f559574f4a4bddd27b714",
            56: "db81bc2bfd43620591df192139062da77d4c376f1888ea3d2190bd07c8d901f9",
            63: "bd535b38bf0d0d1a09d370b7e34b2696cea3767801a45d5611a4aaa6954e8527",
            64: "292be91abe8c0909fe3d26575af5755eee74d23816dc68c3ba41765136967654",
            65: "ba65aedf7884642499a59ae124894611d986cf429e69f569488048af3a99e25a",
            119: "d367ab298e74477421127b0b448667c37c006c636f5738f081c39388756e5fad",
            120: "be7beb9c82089eb08da8fe6eb30c13b9d56869014e228a8c3eb0fdfe832efab2",
            1000: "59425e4412e296fc74736673ce067027f384203f59c0d2c3e6be7b13347b3ffc",
        ]
        for (count, digest) in digests {
            #expect(SHA256.hexDigest(of: (0..<count).map { UInt8($0 * 7 % 251) }) == digest, "\(count) bytes")
        }
    }
}
