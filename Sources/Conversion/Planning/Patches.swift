internal import AdapterKit
internal import PageModel

// What plans say of pictures that something lies over.

extension EncodedPicture {
    /// What the picture is made of, where something is laid on it.
    var patchNote: Note? {
        seenPatch.map { Note(.patchedFile, ["text": $0.description, "format": encoding.rawValue]) }
    }

    /// What is laid on the picture, and not left out.
    var seenPatch: PicturePatch? { patch.flatMap { $0.isLeftOut ? nil : $0 } }

    /// How the picture gets into the output when nothing else is done with it.
    var unchangedTreatment: Treatment { seenPatch != nil ? .patched : repair != nil ? .lossless : .verbatim }
}

extension SampledPicture {
    /// What is laid on the samples, and not left out.
    var seenPatch: PicturePatch? { patch.flatMap { $0.isLeftOut ? nil : $0 } }

    /// What the picture is made of, where something is laid on it.
    var patchNote: Note? {
        seenPatch.map { Note(.patchedSamples, ["text": $0.description, "compression": compression]) }
    }
}

extension Picture.Representation {
    /// What is laid on the picture.
    var patch: PicturePatch? {
        switch self {
        case .encoded(let picture): picture.seenPatch
        case .sampled(let picture): picture.seenPatch
        case .drawn, .joined: nil
        }
    }
}

extension Picture {
    /// What lies over the picture and is left out, as was asked for.
    var leftOut: String? {
        for representation in representations {
            switch representation {
            case .encoded(let picture):
                if let patch = picture.patch, patch.isLeftOut { return patch.description }
            case .sampled(let picture):
                if let patch = picture.patch, patch.isLeftOut { return patch.description }
            case .drawn, .joined: break
            }
        }
        return nil
    }
}

extension PagePlan {
    /// What is laid on the picture of a single page.
    var patch: PicturePatch? {
        switch step {
        case .copy(let picture, _), .operate(let picture, _, _), .pack(let picture, _), .restore(let picture, _):
            picture.seenPatch
        case .render(let representation, _, _): representation.patch
        case .copyDocument, .layTogether, .join, .compose: nil
        }
    }

    /// Whether every pixel keeps the value that the source's data give it, or gets the one that the page shows there.
    var keepsEveryPixel: Bool {
        switch treatment {
        case .verbatim, .lossless: true
        case .patched: if case .render(.sampled, _, _) = step { true } else { false }
        case .encoded, .drawn: false
        }
    }

    /// The plan with what reading the picture has shown of what lies over it.
    func toldOfPatch() -> PagePlan {
        guard let share = patch?.share() else { return self }
        var plan = self
        if share > 0 {
            let percent = (1000 * share).rounded() / 10
            var values = ["percent": percent > 0 ? "\(percent)" : "under 0.1"]
            values["text"] = patch?.text()
            plan.reason = reason.with(.detail, Note(.patchedShare, values))
        } else {
            plan.reason = reason.with(.detail, Note(.nothingSeen))
            if case .copy(let picture, _) = step, treatment == .patched {
                plan.treatment = picture.repair == nil ? .verbatim : .lossless
            } else if treatment == .patched {
                plan.treatment = .lossless
            }
        }
        return plan
    }
}
