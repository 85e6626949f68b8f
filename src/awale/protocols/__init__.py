"""Lines in, lines out: our engine speaking UCI, the three-colour contest's referee and player, checks of both."""
