package import PageModel

// Properties of plans for scans under an overlay.

extension EncodedPicture {
    /// The note on an image under an overlay.
    var overlayNote: Note? {
        overlay.map { Note(.patchedFile, ["format": encoding.rawValue], text: $0.description) }
    }

    /// The treatment of the image if nothing else is changed.
    var unchangedTreatment: Treatment { overlay != nil ? .patched : repair != nil ? .lossless : .verbatim }
}

extension SampledPicture {
    /// The note on an image under an overlay.
    var overlayNote: Note? {
        overlay.map { Note(.patchedSamples, ["compression": compression], text: $0.description) }
    }
}

extension Picture {
    /// Returns the note on a scan that the page shows slanted; nil if it does not.
    ///
    /// A rendering that takes the place of an extracted scan has no note: its scan could not be read.
    func slantNote(isRendered: Bool) -> Note? {
        guard !isRendered || representations.count == 1 else { return nil }
        return slant.map { degrees in
            let hundredths = (100 * abs(degrees)).rounded() / 100
            return Note(isRendered ? .slantRendered : .slantDropped, ["degrees": "\(max(0.01, hundredths))"])
        }
    }
}

extension RemovedObjects {
    /// The notes on objects that were removed from a scan, and on those that were to be.
    var notes: [Note] {
        [
            description.map { Note(.overlayDropped, ["lines": text.joined(separator: "\n")], text: $0) },
            kept.map { Note(.overlayKept, text: $0) },
        ].compactMap(\.self)
    }
}

extension PageMap {
    /// Rounding moves an edge by less than this share of a page.
    private static let tolerance = 1e-6

    /// Returns whether the finished page shows a part of an area.
    fileprivate func shows(_ area: PageArea) -> Bool {
        let corners = [area.left, area.right].flatMap { across in
            [area.top, area.bottom].map { place(of: PagePoint(across: across, down: $0)) }
        }
        let (inside, outside) = (1 - PageMap.tolerance, PageMap.tolerance)
        return !corners.allSatisfy { $0.across <= outside } && !corners.allSatisfy { $0.across >= inside }
            && !corners.allSatisfy { $0.down <= outside } && !corners.allSatisfy { $0.down >= inside }
    }
}

extension PagePlan {
    /// Whether every pixel keeps the value of the source's data, or gets the value that the page shows there. Fax scans get
    /// the nearest of few levels there (`OverlaidSamples`).
    var keepsEveryPixel: Bool {
        switch treatment {
        case .verbatim, .lossless: true
        case .patched: if case .sampled? = method.pixelSources.first?.best?.representation { true } else { false }
        case .encoded, .drawn: false
        }
    }

    /// Returns the plan with the notes on content and slant that the page gives its scan, and that the plan omits or keeps.
    ///
    /// - Parameter keepsPaper: whether the output shows the blank paper around the scan.
    func withScanNotes(on picture: Picture, keepsPaper: Bool) -> PagePlan {
        let isRendering = method.isRendering
        var plan = self
        plan.reason = reason.with(.detail, picture.slantNote(isRendered: isRendering))
        for note in picture.removed?.notes ?? [] { plan.reason = plan.reason.with(.detail, note) }
        guard !isRendering, !keepsPaper, picture.leavesMarginsOut else { return plan }
        plan.reason = plan.reason.with(.detail, Note(.marginsDropped))
        return plan
    }

    /// Returns whether the overlay that was composited on the image is outside of the part that the finished page shows.
    package func hidesOverlay(_ result: PatchResult?) -> Bool {
        guard method.overlay != nil, let result, result.share > 0, !result.areas.isEmpty,
            let (size, map) = method.storedImage
        else { return false }
        return result.areas.allSatisfy { !map.shows(PageArea($0, of: size)) }
    }

    /// Returns the plan with the facts about the overlay that reading the image revealed.
    package func withNote(on result: PatchResult?) -> PagePlan {
        guard method.overlay != nil, let result else { return self }
        var plan = self
        if result.share > 0 {
            // An encoded page is another JPEG, or none.
            let isMadeProgressive = treatment == .patched && result.isMadeProgressive
            let percent = (1000 * result.share).rounded() / 10
            let values = ["percent": percent > 0 ? "\(percent)" : "under 0.1"]
            plan.reason = reason.with(
                .detail, Note(.patchedShare, values, text: result.text.map(Message.init(verbatim:)))
            ).with(.detail, isMadeProgressive ? Note(.madeProgressive) : nil)
        } else {
            plan.reason = reason.with(.detail, Note(.overlayInvisible))
            let isOwnFile = method.copiedFile.map { $0.repair == nil } ?? false
            if treatment == .patched { plan.treatment = isOwnFile ? .verbatim : .lossless }
        }
        return plan
    }
}
