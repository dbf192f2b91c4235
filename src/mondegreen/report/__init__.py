"""Reports: what a score or a run says, as one page that needs nothing but a browser."""
