"""Released values: P3M's costs and moments, and labels that groups share."""
