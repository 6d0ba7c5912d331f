"""Tables, sentences, JSON: values as people and scripts read them."""
