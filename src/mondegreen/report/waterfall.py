"""A waterfall: the accuracy of a chain, and what each stage took from it, as one HTML page."""

from __future__ import annotations

from html import escape

from mondegreen.runs.blame import Blame, waterfall

_WIDTH, _BAR, _STEP, _TOP = 640, 26, 44, 30
_LEFT, _RIGHT = 150, 80
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1d2329; background: #fff; } svg { width: 100%; height: auto; } text { font-size: 13px; }
.level { fill: #3d84b0; } .loss { fill: #c5672d; } .gain { fill: #3f8f5b; }
.link { stroke: #6d7680; stroke-dasharray: 3 3; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid #d5d9dd; }
th:first-child, td:first-child { text-align: left; }
@media (prefers-color-scheme: dark) { body { color: #e6e9ec; background: #15191d; }
  text { fill: #e6e9ec; } }
"""


def waterfall_svg(found: Blame) -> str:
    """Return the waterfall as SVG: bars for the first and last accuracy, steps in between."""
    bars = list(waterfall(found))
    scale = _WIDTH - _LEFT - _RIGHT
    parts = []
    for i, (name, start, end) in enumerate(bars):
        y = _TOP + i * _STEP
        low, high = sorted((start, end))
        level = i in (0, len(bars) - 1)
        kind = "level" if level else "loss" if end <= start else "gain"
        label = f"{100 * end:.1f} %" if level else f"{100 * (end - start):+.2f}"
        x, width = _LEFT + scale * low, max(1.5, scale * (high - low))
        parts += [
            f'<text x="{_LEFT - 10}" y="{y + 18}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}"/>',
            f'<text x="{x + width + 6:.1f}" y="{y + 18}">{label}</text>',
        ]
        if i + 1 < len(bars):
            at = _LEFT + scale * end
            parts.append(
                f'<line class="link" x1="{at:.1f}" x2="{at:.1f}" y1="{y + _BAR}" y2="{y + _STEP}"/>'
            )
    height = _TOP + len(bars) * _STEP
    title = "Accuracy by stage: " + ", ".join(escape(name) for name, _, _ in bars)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{title}">'
        f"{''.join(parts)}</svg>"
    )


def waterfall_page(found: Blame) -> str:
    """Return the waterfall and its table as one self-contained HTML page."""
    rows = "".join(
        f"<tr><td>{escape(stage.name)}</td><td>{100 * stage.accuracy:.2f}</td>"
        f"<td>{100 * stage.loss:+.2f}</td><td>{stage.lost:,}</td><td>{stage.regained:,}</td></tr>"
        for stage in found.stages
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Where requests were lost</title><style>{_STYLE}</style></head><body>"
        f"<h1>Where requests were lost</h1><p>{escape(found.measure)} accuracy of "
        f"{found.stages[0].n:,} utterances; {100 * found.total:+.2f} points lost in all.</p>"
        f"{waterfall_svg(found)}<table><thead><tr><th>stage</th><th>accuracy %</th>"
        f"<th>loss</th><th>lost</th><th>regained</th></tr></thead><tbody>{rows}</tbody></table>"
        "</body></html>\n"
    )
