"""Prints what MemoryCode's own checker says of each stored output: rule, code, whether it obeys."""

import json
import os
import sys
import types
import warnings

warnings.filterwarnings("ignore")
sys.modules["fire"] = types.ModuleType("fire")
try:
    import numpy  # noqa: F401
except ImportError:
    np = types.ModuleType("numpy")
    np.mean = lambda values: sum(map(float, values)) / len(values) if len(values) else float("nan")
    np.nanmean = np.mean
    sys.modules["numpy"] = np

root = sys.argv[1]
sys.path.insert(0, f"{root}/code")
import evaluate_model_output as checker  # noqa: E402


def read(path):
    with open(f"{root}/{path}") as file:
        return json.load(file)


wordings = {}
for instruction in read("topics.json")["instructions"]:
    for text, form in zip(instruction["text"], instruction["regex"]):
        print(json.dumps({"kind": json.dumps(instruction["text"][:1]), "rule": text}))
        wordings.setdefault(json.dumps(form), text)

for model in sorted(os.listdir(f"{root}/outputs")):
    for name in sorted(os.listdir(f"{root}/outputs/{model}")):
        number = name.split("_")[1].split(".")[0]
        sessions = read(f"dataset/dialogue_{number}.json")["sessions"]
        for session, given in zip(sessions, read(f"outputs/{model}/{name}")["sessions"]):
            outputs = given.get("instruction_model_output", [])
            for output, form in zip(outputs, session["session_regex"]):
                rule = wordings.get(json.dumps(form))
                code = checker.extract_code(output)
                try:
                    checker.get_all_objects(code)
                except Exception:
                    continue
                score = checker.compute_score(output, *form)
                if rule is None or score is None or score != score:
                    continue
                print(json.dumps({"rule": rule, "code": code, "obeys": score == 1.0}))
