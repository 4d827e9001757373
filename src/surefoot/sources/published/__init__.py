"""Published score tables: where their files are, how they are brought, and how tables come out of them."""
