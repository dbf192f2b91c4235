"""An example plugin of Mondegreen: an operator, a metric, a format and a model."""
