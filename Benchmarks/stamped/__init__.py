"""PDFs of scans with something over, around or between them: how the scans are stored, what lies over them, how they are laid out."""
