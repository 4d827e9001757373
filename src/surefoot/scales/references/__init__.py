"""Tables of reference scores by name: what they are, and how their environments are spelled."""
