"""Results and their summary -> a report to look at: one HTML file that opens offline, or a Markdown table.

    accounts    a stored score -> its charges, and what each person, the trials and the waits came to
    data        results -> the compact data that the page carries
    board       a summary -> the rows of a leaderboard, and its page for Markdown
    html        data and leaderboards -> the file, with the plotting library and a policy that lets nothing else run
    waterfall   exact figures and charges -> the bars from uplift to score
    plot        bars -> a picture, SVG or PNG; the one module here that needs matplotlib

Sums nothing up and judges nothing: numbers come from the results and from `summary`.
"""
