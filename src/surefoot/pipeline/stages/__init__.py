"""The stages: each reads tables, calls one function of a room, and writes the result. No number is decided here."""
