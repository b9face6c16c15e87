import Testing

@testable import Clean

@Suite struct PackedPlanesTests {
    @Test func anyBytesReturn() {
        var state: UInt32 = 1
        let planes = (0..<3).map { _ in
            (0..<7 * 5).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        }
        let packed = PackedPlanes(planes, across: 7)
        for (channel, plane) in planes.enumerated() { #expect(packed[channel] == plane) }
        #expect(PackedPlanes([[255, 0, 255]], across: 1)[0] == [255, 0, 255])
    }

    /// The light on a page of 48 by 68 tiles with a shadow at the fold, and noise of a step.
    @Test func smoothLightTakesLittleMemory() throws {
        let plane: [UInt8] = (0..<48 * 68).map { (place: Int) -> UInt8 in
            let shadow: Int = 90 / (1 + place % 48)
            let noise: Int = place * place % 2
            return UInt8(170 - shadow - place / 192 + noise)
        }
        let packed = PackedPlanes([plane], across: 48)
        #expect(packed[0] == plane)
        #expect(packed.png.count < 1_000)
        #expect(PackedPlanes([plane, plane, plane], across: 48).png.count < 2_000)
    }
}
