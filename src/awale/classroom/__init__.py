"""For classes and laboratories: search trees, evaluations of one's own, experiments."""
