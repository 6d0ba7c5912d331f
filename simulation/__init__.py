"""Everything that draws a random number: drifting objectives, policies, runs and studies."""
