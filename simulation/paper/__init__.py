"""The experiments of the paper and the sentences about them."""
