"""ctv: what a person touches. Command line, files, figures and the report; computes nothing itself."""
