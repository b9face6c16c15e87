internal import PageModel

/// A file whose size is unknown before it is decoded, so that its pixels cannot be changed.
struct UnsizedCandidate: Sendable {
    let planner: Planner
    let encoded: EncodedPicture
    /// Whether neither the page nor the request changes the image.
    let requestsNoChange: Bool

    static let rules: [PlanRule<UnsizedCandidate>] = [
        PlanRule(
            name: "Copy the unread file",
            condition: "The size is unknown before decoding, and no option changes the page.",
            treatments: .copying,
            applies: { $0.requestsNoChange },
            blocker: { Note(.sizeUnknown, format: $0.encoded.encoding) },
            plans: { candidate, _ in [candidate.planner.copy(candidate.encoded)] })
    ]
}

extension EncodedCandidate {
    static let rules: [PlanRule<EncodedCandidate>] = [
        PlanRule(
            name: "Use the JPEG in the TIFF",
            condition: "A TIFF holds a JPEG. JPEG or JPEG XL is requested, or no format is requested and the output "
                + "does not show TIFF.",
            treatments: [],
            next: .nextImage { $0.requestsNoChange ? $0.rarity : nil },
            applies: { $0.isBetterAsJPEG }),
        PlanRule(
            name: "Copy the file",
            condition: "The output shows the file as it is, or its format is requested. No option changes the page.",
            treatments: .copying,
            applies: { $0.requestsNoChange && $0.isShown },
            plans: { candidate, blocker in [candidate.planner.copy(candidate.encoded, because: blocker)] }),
        PlanRule(
            name: "Copy the file, shown cropped or rotated",
            condition: "The output shows the file, and can crop and rotate it. No option changes pixels or the "
                + "format.",
            treatments: .copying,
            applies: { $0.operations.keepsPixels && $0.isFormatKept && $0.isShown && $0.isFramingShown },
            plans: { candidate, _ in
                let framing = candidate.operations.framing
                return [candidate.planner.copy(candidate.encoded, framing, shown: framing)]
            }),
        PlanRule(
            name: "Use the samples",
            condition: "The source also has the exact samples, and no rule below keeps coefficients.",
            treatments: [],
            next: .nextImage { $0.requestsNoChange ? $0.rarity : Note(.mustBeDecoded, format: $0.encoded.encoding) },
            applies: { $0.hasSamples && !$0.keepsCoefficients }),
        PlanRule(
            name: "Restore the JPEG of a JPEG XL",
            condition: "JPEG is requested, or the output shows JPEG and not JPEG XL. No other option changes the "
                + "page.",
            treatments: [.lossless],
            fallback: "copy the file, or encode",
            applies: { $0.isRestored },
            plans: { candidate, _ in candidate.planner.restore(candidate.encoded, candidate.operations) }),
        PlanRule(
            name: "Copy the file although few apps show it",
            condition: "The output can hold the file, and a PNG would only be larger. No option changes the page.",
            treatments: .copying,
            applies: { $0.requestsNoChange && $0.isWorseAsPNG },
            blocker: { $0.requestsNoChange ? $0.encoded.isRareJPEG ? Note(.rareJPEG) : $0.rarity : nil },
            plans: { candidate, _ in [candidate.planner.copy(candidate.encoded)] }),
        PlanRule(
            name: "Pack the JPEG in a JPEG XL",
            condition: "JPEG XL is requested. Nothing but the JPEG's own metadata rotates it.",
            treatments: .moving,
            next: .fallback { _ in Note(.notKeptInJPEGXL) },
            applies: { $0.packed != nil },
            plans: { candidate, _ in [candidate.packed].compactMap { $0 } }),
        PlanRule(
            name: "Keep the coefficients of the JPEG",
            condition:
                "A JPEG is only cropped or rotated, is of a rare kind, or becomes a JPEG XL. The MCU grid allows "
                + "it, and no quality is requested.",
            treatments: .copying,
            // For example, JPEG XL cannot pack a CMYK JPEG.
            next: .fallback { Note($0.planner.request.format == .jpegXL ? .notKeptInJPEGXL : .damagedData) },
            applies: { $0.moved != nil },
            blocker: { $0.lossOfMoving },
            plans: { candidate, _ in [candidate.moved].compactMap { $0 } }),
        PlanRule(
            name: "Copy the file that is too large for the format",
            condition: "The requested format cannot hold so many pixels. No other option changes the page.",
            treatments: .copying,
            applies: { $0.excess != nil },
            plans: { candidate, _ in [candidate.planner.copy(candidate.encoded, because: candidate.excess)] }),
        PlanRule(
            name: "Encode, or copy if not larger",
            condition: "A quality, or a format that saves space, is requested. No other option changes the page.",
            treatments: .decoding,
            fallback: "copy the file",
            applies: { $0.changesOnlyEncoding && $0.isForSize },
            plans: { candidate, blocker in
                candidate.planner.copy(candidate.encoded).following(
                    candidate.rendered(because: blocker), as: candidate.parameters.format)
            }),
        PlanRule(
            name: "Encode, or keep the coefficients if not larger",
            condition: "The same, for a cropped or rotated JPEG.",
            treatments: .decoding,
            fallback: "keep the coefficients",
            applies: { $0.isForSize && $0.alternative != nil },
            plans: { candidate, blocker in
                let rendered = candidate.rendered(because: blocker)
                return candidate.alternative?.following(rendered, as: candidate.parameters.format) ?? [rendered]
            }),
        PlanRule(
            name: "Encode, or copy a file of several images",
            condition: "The output can hold the file, but few apps show it. The file is not a TIFF. No option "
                + "changes the page.",
            treatments: .decoding,
            fallback: "copy the file",
            applies: { $0.requiresEveryFrame },
            plans: { candidate, blocker in
                [
                    candidate.rendered(because: blocker),
                    candidate.planner.copy(candidate.encoded, because: Note(.severalImages)),
                ]
            }),
        PlanRule(
            name: "Encode",
            condition: "Always.",
            treatments: .decoding,
            applies: { _ in true },
            plans: { candidate, blocker in [candidate.rendered(because: blocker)] }),
    ]

    /// Returns the plan that decodes the file, changes its pixels and encodes them.
    private func rendered(because blocker: Note?) -> PagePlan {
        planner.render(encoded, operations, parameters, because: blocker)
    }
}
