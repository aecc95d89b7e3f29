# SPDX-License-Identifier: MIT
"""Figures with matplotlib, in one style: for a column of a paper, in colours for readers with any colour vision.

The same data give the same bytes with the same version of matplotlib: files contain no dates, and identifiers in SVG
have a fixed salt.
"""
import io
import os

os.environ.setdefault("MPLBACKEND", "Agg")

import matplotlib  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator  # noqa: E402

# Okabe and Ito, "Color universal design" (2008), without yellow, which has little contrast on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1)), "-")
WIDTH, HEIGHT = 3.4, 2.4  # inches: the width of a column of a paper; the height without the legend
RESOLUTION = 300  # dots per inch in PNG

STYLE = {
    "font.family": "DejaVu Sans", "font.size": 8, "axes.labelsize": 8, "axes.titlesize": 8, "legend.fontsize": 8,
    "xtick.labelsize": 8, "ytick.labelsize": 8, "axes.linewidth": 0.6, "lines.linewidth": 1.2, "lines.markersize": 4,
    "axes.grid": True, "grid.linewidth": 0.3, "grid.color": "#CCCCCC", "axes.axisbelow": True, "legend.frameon": False,
    "legend.handlelength": 2.6, "axes.spines.top": False, "axes.spines.right": False, "mathtext.fontset": "dejavusans",
    "svg.hashsalt": "omegapac", "svg.fonttype": "path", "pdf.fonttype": 42, "figure.constrained_layout.use": True,
}
METADATA = {"pdf": {"CreationDate": None, "ModDate": None}, "svg": {"Date": None}, "png": {"Software": None}}


def known(x, y):
    """The points without None, as floats."""
    pairs = [(float(a), float(b)) for a, b in zip(x, y) if a is not None and b is not None]
    return [a for a, _ in pairs], [b for _, b in pairs]


class Plot:
    """A figure. Colours, markers and line styles are assigned in the order of the series."""

    def __init__(self):
        self.figure, self.plane = pyplot.subplots(figsize=(WIDTH, HEIGHT))
        self.count = 0
        self.space = 0.06  # inches between the axes and the legend

    def _style(self, style=None):
        index = self.count if style is None else style
        self.count += 1
        return {"color": COLOURS[index % len(COLOURS)]}, MARKERS[index % len(MARKERS)], LINES[index % len(LINES)]

    # ---- series ----

    def curve(self, x, y, name, style=None):
        """A line with a marker at each point."""
        colour, marker, line = self._style(style)
        self.plane.plot(*known(x, y), linestyle=line, marker=marker, label=name, **colour)

    def line(self, x, y, name):
        """A line without markers."""
        colour, _, line = self._style()
        self.plane.plot(*known(x, y), linestyle=line, label=name, **colour)

    def points(self, x, y, name, marker=None, is_hollow=False):
        """Markers without a line; hollow markers are larger, so that another marker inside is visible."""
        colour, usual, _ = self._style()
        shape = {"markerfacecolor": "none", "markersize": 6} if is_hollow else {}
        self.plane.plot(*known(x, y), linestyle="", marker=marker or usual, label=name, zorder=3, **shape, **colour)

    def stairs(self, x, y, name):
        """A step function, constant to the right of each point."""
        colour, _, line = self._style()
        self.plane.step(*known(x, y), where="post", linestyle=line, label=name, **colour)

    def bracket(self, x, lower, upper, name):
        """The area between two step functions, each constant to the right of each point."""
        colour, _, line = self._style()
        self.plane.fill_between(x, lower, upper, step="post", alpha=0.15, linewidth=0, **colour)
        self.plane.step(x, lower, where="post", linestyle=line, label=name, **colour)
        self.plane.step(x, upper, where="post", linestyle=line, **colour)

    def band(self, x, lower, upper, name):
        """The area between two curves."""
        self.plane.fill_between(x, lower, upper, color="#000000", alpha=0.15, linewidth=0, label=name)

    def dots(self, x, y, weights, most, what):
        """Dots whose areas are proportional to their weights, which are at most `most`."""
        colour, marker, _ = self._style()
        scale = 60 / most
        self.plane.scatter(x, y, [scale * weight for weight in weights], marker=marker, linewidths=0, zorder=3, **colour)
        for weight in sorted({1, max(1, most // 4), most}):
            noun = what.rstrip("s") if weight == 1 else what
            self.plane.scatter([], [], scale * weight, marker=marker, linewidths=0, label=f"{weight} {noun}", **colour)

    def rule(self, label, x=None, y=None):
        """A horizontal or vertical line, labelled at its end outside of the axes."""
        style = {"color": "#555555", "linewidth": 0.8, "linestyle": (0, (4, 2))}
        text = {"color": "#333333", "fontsize": 8, "xycoords": None, "textcoords": "offset points", "annotation_clip": False}
        if y is not None:
            self.plane.axhline(y, **style)
            text["xycoords"] = self.plane.get_yaxis_transform()
            self.plane.annotate(label, (1, y), (2, 0), va="center", ha="left", **text)
        else:
            self.plane.axvline(x, **style)
            self.space = 0.2
            text["xycoords"] = self.plane.get_xaxis_transform()
            self.plane.annotate(label, (x, 1), (0, 2), va="bottom", ha="center", **text)

    # ---- axes ----

    def axes(self, x_label, y_label, x_log=False, y_log=False, y=(None, None), names=None, ticks=None):
        """Sets labels, scales and limits. names: labels of the positions 0, 1, … on the x axis; ticks: all its ticks."""
        plane = self.plane
        plane.set_xlabel(x_label)
        plane.set_ylabel(y_label)
        for is_log, scale, axis in ((x_log, plane.set_xscale, plane.xaxis), (y_log, plane.set_yscale, plane.yaxis)):
            if is_log:
                scale("log")
                axis.set_major_locator(LogLocator(numticks=6))
                axis.set_minor_locator(NullLocator())
        plane.set_ylim(*y)
        if names is not None:
            self._set_names(names)
        if ticks is not None:
            plane.xaxis.set_major_locator(FixedLocator(ticks))
            plane.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        self._place_legend()

    def _set_names(self, names):
        self.plane.set_xticks(range(len(names)), names, rotation=40, ha="right", rotation_mode="anchor")
        self.plane.set_xlim(-0.5, len(names) - 0.5)

    def _place_legend(self):
        """Puts the legend above the axes, in as many columns as fit, and enlarges the figure by its height."""
        handles, labels = self.plane.get_legend_handles_labels()
        if not handles:
            return
        renderer = self.figure.canvas.get_renderer()
        for columns in (3, 2, 1):
            legend = self.figure.legend(handles, labels, loc="upper center", ncol=columns, columnspacing=1.2, borderpad=0.2)
            box = legend.get_window_extent(renderer).transformed(self.figure.dpi_scale_trans.inverted())
            if box.width < WIDTH or columns == 1:
                break
            legend.remove()
        whole = HEIGHT + self.space + box.height
        self.figure.set_size_inches(WIDTH, whole)
        self.figure.get_layout_engine().set(rect=(0, 0, 1, HEIGHT / whole))


def render(draw, formats):
    """Draws a figure with draw(plot) and returns {suffix: bytes}."""
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **STYLE, "backend": "Agg"}):
        plot = Plot()
        try:
            draw(plot)
            found = {}
            for suffix in formats:
                file = io.BytesIO()
                plot.figure.savefig(file, format=suffix, dpi=RESOLUTION, metadata=METADATA[suffix])
                found[suffix] = file.getvalue()
            return found
        finally:
            pyplot.close(plot.figure)
