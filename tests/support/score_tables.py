"""A small table of final scores, as files hold it, and what is read from it."""

from support.read_folders import read_folder, rows

WANTED = [
    (name, run, score) for name, scores in (("a", (1.5, 2.5)), ("b", (3.5, 4.5))) for run, score in enumerate(scores)
]
LONG = "".join(f"{name},e,{run},{score}\n" for name, run, score in WANTED)


def read_scores(path, **options):
    return rows(read_folder(path, **options).table, "algorithm", "run", "score")
