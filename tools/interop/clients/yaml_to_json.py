"""Prints a YAML file as JSON: `yaml_to_json.py FILE`."""

import json
import pathlib
import sys

import yaml

print(json.dumps(yaml.safe_load(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))))
