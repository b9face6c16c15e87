import PageModel
import Testing

@testable import Imaging

@Suite struct JoinKeyTests {
    /// The values are Python's, from the description that `JPEGHeader.joinKey(profile:)` makes.
    @Test func theKeyIsTheSameInEveryProcess() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let plain = JoinKey(rawValue: "534ec630330e60b2266311eb51ae76ef332a1e1e2ccb4537129757b52092ba3c")
        let profiled = JoinKey(
            coding: plain.rawValue, profile: "1900eab6c028483d7126599ee6f50de0d27907b5c65fa90524580b4b0f9852b0")
        #expect(PictureHeader(bytes)?.joinKey == plain)
        #expect(JPEGHeader(bytes)?.joinKey(profile: Array("profile".utf8)) == profiled)
        #expect(try PictureHeader(Fixture.bytes("gray.png"))?.joinKey == nil)
    }

    /// Programs that write a profile for each page date each anew.
    @Test func profilesThatDifferInTheirDatesAreOne() throws {
        let header = try #require(JPEGHeader(Fixture.bytes("baseline.jpg")))
        var profile = (0..<200).map { UInt8($0) }
        let key = try #require(header.joinKey(profile: profile))
        for index in [24, 35, 84, 99] { profile[index] += 1 }
        #expect(header.joinKey(profile: profile) == key)
        profile[100] += 1
        let other = try #require(header.joinKey(profile: profile))
        #expect(other.differsOnlyInProfile(from: key) && !key.differsOnlyInProfile(from: key))
        let none = try #require(header.joinKey(profile: nil))
        #expect(none.differsOnlyInProfile(from: key))
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
