"""Write the answers of the reference wrapper that norn's own answers are compared with.

    PYTHONHASHSEED=0 python golden.py        # reads and writes ../internal/tabular/testdata/demo

Each case is a real table with a fixed split, one set of weights and the wrapper's default settings. Only this program
knows the reference; the Go test reads what it writes. The hash seed fixes the order in which the wrapper computes the
members, and with it the last bits of its answers (8e-7 of the target's deviation, 3e-7 in a probability).

Needs torch, tabicl, scikit-learn and pandas; the versions used stand in each file.
"""
import json
import struct
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tabicl import TabICLClassifier, TabICLRegressor

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
TABULAR = Path(__file__).resolve().parent.parent / "internal" / "tabular"
HERE = TABULAR / "testdata" / "demo"
LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

# Row i of a table asks where i % every == every - 1 and teaches otherwise. gaps = g empties the feature cells (i, j) of
# the table with (7i + 3j) % g == 0, j counting the columns of the file.
CASES = {
    "iris": dict(table="iris", target="species", every=4),
    "wine": dict(table="wine", target="cultivar", every=4),
    "wine-gaps": dict(table="wine", target="cultivar", every=4, gaps=11),
    "breast_cancer": dict(table="breast_cancer", target="diagnosis", every=4),
    "digits": dict(table="digits", target="digit", every=6),
    "diabetes": dict(table="diabetes", target="progression", every=4),
    "diabetes-gaps": dict(table="diabetes", target="progression", every=4, gaps=13),
    "petals": dict(table="iris", target="petal_length_cm", every=4),  # species is a feature here: text among numbers
}
# role -> classifier, regressor, settings, cases. Settings leave the meaning of the answer alone: version 1 orders the
# columns wrongly in larger batches. The random weights need not see every table.
WEIGHTS = {
    "demo": ("demo/norn-demo-classifier.safetensors", "demo/norn-demo-regressor.safetensors", {}, list(CASES)),
    "tiny-v2": ("testdata/weights/tabicl-classifier-v2.ckpt", "testdata/weights/tabicl-regressor-v2.ckpt", {},
                ["iris", "wine", "wine-gaps", "digits", "diabetes-gaps", "petals"]),
    "tiny-v1": ("testdata/weights/tabicl-classifier-v1.safetensors", None, {"batch_size": 1}, ["iris", "wine-gaps", "digits"]),
}


def checkpoint(path, folder):
    """The wrapper loads torch files only; this gives the path of one with the same tensors and the same config."""
    if path.suffix == ".ckpt":
        return path
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    config = json.loads(header.pop("__metadata__")["config"])
    state = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            raise SystemExit(f"{path.name}: {name} is {entry['dtype']}, not F32")
        begin, end = entry["data_offsets"]
        values = np.frombuffer(raw[8 + size + begin:8 + size + end], dtype="<f4").reshape(entry["shape"])
        state[name] = torch.from_numpy(values.copy())
    out = Path(folder) / (path.stem + ".ckpt")
    torch.save({"config": config, "state_dict": state}, out)
    return out


def read(case):
    """Features and target of the teaching rows, features of the asking rows."""
    table = pd.read_csv(HERE / (case["table"] + ".csv"), keep_default_na=False)
    row, asks = np.arange(len(table)), np.arange(len(table)) % case["every"] == case["every"] - 1
    target = table[case["target"]]
    if "gaps" in case:
        for j, name in enumerate(table.columns):
            if name != case["target"]:
                table[name] = table[name].mask((7 * row + 3 * j) % case["gaps"] == 0)
    features = table.drop(columns=case["target"])
    return features[~asks], target[~asks], features[asks]


def rounded(values):
    """Nine digits behind the point of a probability, nine digits in all of a number in the target's unit."""
    return [[float(f"{v:.9g}") for v in row] for row in np.asarray(values, dtype=np.float64)]


def answer(case, paths, kwargs):
    x, y, query = read(case)
    regression = y.dtype.kind == "f" or case["table"] == "diabetes"
    cls = TabICLRegressor if regression else TabICLClassifier
    model = cls(model_path=str(paths[regression]), allow_auto_download=False, device="cpu", **kwargs)
    model.fit(x, y.to_numpy(dtype=np.float64 if regression else object if y.dtype.kind not in "iu" else None))
    if not regression:
        proba = np.asarray(model.predict_proba(query), dtype=np.float64)
        return dict(classes=[str(c) for c in model.classes_], probabilities=[[round(v, 9) for v in row] for row in proba.tolist()])
    out = model.predict(query, output_type=["mean", "quantiles"], alphas=LEVELS)
    return dict(levels=LEVELS, target_deviation=float(model.y_scaler_.scale_[0]),
                mean=rounded([out["mean"]])[0], quantiles=rounded(out["quantiles"]))


def main():
    made_with = {"python": sys.version.split()[0], **{p: version(p) for p in ("torch", "tabicl", "scikit-learn", "scipy", "numpy", "pandas")}}
    with tempfile.TemporaryDirectory() as folder:
        for role, (classifier, regressor, kwargs, names) in WEIGHTS.items():
            paths = [p and checkpoint(TABULAR / p, folder) for p in (classifier, regressor)]
            for name in names:
                case = CASES[name]
                expected = answer(case, paths, kwargs)
                text = json.dumps(dict(case=case, weights=role, settings=dict(n_estimators=8, random_state=42, **kwargs),
                                       made_with=made_with, expected=expected))
                (HERE / f"{name}.{role}.json").write_text(text + "\n")
                print(name, role, flush=True)


if __name__ == "__main__":
    main()
