"""Reports: the results of a score or a run as one self-contained HTML page."""
