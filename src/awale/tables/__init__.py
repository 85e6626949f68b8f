"""Endgame tables: what every position with few seeds is worth, exactly."""
