"""ctv: what a person touches: command line, files, figures, report. Computes nothing itself."""
