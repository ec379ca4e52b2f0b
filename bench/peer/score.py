#!/usr/bin/env python3
"""Fill the empty cells of a column with the reference wrapper and norn's demo weights, as a user of it would.

    python score.py FILE TARGET CHECKPOINT THREADS off|kv      # one JSON document, fields as compare.py reads them
    python score.py --convert CHECKPOINT                       # writes the built-in classifier as a torch file

Needs tabicl 2.2.0, torch and pandas. Imports are part of what a user waits for; they stay inside.
"""
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def convert(out):
    sys.path.insert(0, str(ROOT / "pretrain"))
    from golden import checkpoint
    checkpoint(ROOT / "internal" / "tabular" / "demo" / "norn-demo-classifier.safetensors", Path(out).parent).rename(out)


def score(path, target, checkpoint, threads, cache):
    began = time.perf_counter()
    import pandas as pd
    import torch
    from tabicl import TabICLClassifier

    torch.set_num_threads(int(threads))
    ready = time.perf_counter()
    table = pd.read_csv(path)
    asks, features = table[target].isna(), table.drop(columns=target)
    model = TabICLClassifier(model_path=checkpoint, allow_auto_download=False, device="cpu", n_jobs=int(threads),
                             kv_cache=False if cache == "off" else cache)
    # Loading the weights is part of fit here; norn counts it apart, and it takes milliseconds.
    start, start_cpu = time.perf_counter(), time.process_time()
    model.fit(features[~asks], table.loc[~asks, target])
    fitted, fitted_cpu = time.perf_counter(), time.process_time()
    probabilities = model.predict_proba(features[asks])
    done, done_cpu = time.perf_counter(), time.process_time()
    print(json.dumps({"import_s": ready - began, "fit_s": fitted - start, "predict_s": done - fitted,
                      "fit_cpu_s": fitted_cpu - start_cpu, "predict_cpu_s": done_cpu - fitted_cpu,
                      "probabilities": probabilities.tolist()}))


if __name__ == "__main__":
    convert(sys.argv[2]) if sys.argv[1] == "--convert" else score(*sys.argv[1:6])
