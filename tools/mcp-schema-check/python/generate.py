"""Writes the JSON Schemas of every MCP revision: `generate.py SDK_FOLDER OUTPUT_FOLDER`.

The two newest revisions come from the package `mcp-types`, whose models are generated from the official schemas. Each older
revision comes from the last release of the official Python SDK whose newest revision it was: SDK_FOLDER has one folder for
each of them. Only the file `mcp/types.py` of a release is imported, so the SDK's other dependencies are not needed.

OUTPUT_FOLDER gets one file for each revision: the definitions, and two tables that say which definition belongs to which method
and to which error code.
"""

import importlib
import importlib.util
import json
import pathlib
import sys
import types
import typing

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

SDK_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18"]
TYPES_MODULES = {"2025-11-25": "mcp_types._v2025_11_25", "2026-07-28": "mcp_types._v2026_07_28"}

# What every revision since 2024-11-05 says about the schema of a tool, where the SDK says "any object".
OBJECT_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type"],
}
PRIMITIVES_OF_2025_06_18 = ["StringSchema", "NumberSchema", "BooleanSchema", "LegacyTitledEnumSchema"]


def main():
    sdk_folder, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    schemas = {}
    for revision in SDK_REVISIONS:
        schemas[revision] = definitions(sdk_module(sdk_folder, revision))
    for revision, name in TYPES_MODULES.items():
        schemas[revision] = definitions(importlib.import_module(name))
    for revision in SDK_REVISIONS:
        tighten_sdk(schemas[revision])
    tighten_elicitation_of_2025_06_18(schemas["2025-06-18"], schemas["2025-11-25"])
    for revision in TYPES_MODULES:
        tighten_types(schemas[revision])
    for revision, defs in schemas.items():
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": defs,
            "methods": methods(defs),
            "errors": errors(defs),
        }
        (output / f"{revision}.json").write_text(json.dumps(schema, indent=1), encoding="utf-8")


def sdk_module(folder, revision):
    name = f"sdk_{revision}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, folder / revision / "mcp" / "types.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    assert module.LATEST_PROTOCOL_VERSION == revision, f"{name} implements {module.LATEST_PROTOCOL_VERSION}"
    return module


def definitions(module):
    """The definition of every model of a module, and of every union of models that has a name."""
    models = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, BaseModel) and value.__module__ == module.__name__
        # Not the generic models, nor their parametrised forms.
        and not value.__pydantic_generic_metadata__["parameters"] and "[" not in name
    }
    _, schema = models_json_schema([(model, "validation") for model in models.values()])
    defs = schema["$defs"]
    refuse_null(defs)
    for name, value in vars(module).items():
        # One class can have two names.
        members = typing.get_args(value) if typing.get_origin(value) in (types.UnionType, typing.Union) else (value,)
        if name not in defs and members and all(member in models.values() for member in members):
            defs[name] = {"anyOf": [{"$ref": f"#/$defs/{member.__name__}"} for member in members]}
    return defs


def refuse_null(node):
    """An optional field is `T | None` in Python, but on the wire it is absent and never null."""
    if isinstance(node, list):
        for item in node:
            refuse_null(item)
    elif isinstance(node, dict):
        for name, field in node.get("properties", {}).items():
            optional = name not in node.get("required", [])
            if optional and isinstance(field, dict) and "anyOf" in field and field.get("default", 0) is None:
                del field["default"]
                field["anyOf"] = [choice for choice in field["anyOf"] if choice != {"type": "null"}]
        for value in node.values():
            refuse_null(value)


def tighten_sdk(defs):
    """What the schemas of the older revisions require, and the models of the SDK do not."""
    for definition in defs.values():
        # The SDK fills in the method if it is absent.
        if "const" in definition.get("properties", {}).get("method", {}):
            definition["required"] = sorted({"method", *definition.get("required", [])})
    tool = defs["Tool"]["properties"]
    for key in ["inputSchema", "outputSchema"]:
        if key in tool:
            tool[key] = OBJECT_SCHEMA


def tighten_elicitation_of_2025_06_18(defs, newer):
    """The SDK takes any object as the schema of a form. Its kinds of fields are those of 2025-11-25 without the newer kinds of enum."""
    for name in PRIMITIVES_OF_2025_06_18:
        defs[name] = newer[name]
    fields = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in PRIMITIVES_OF_2025_06_18]}
    defs["ElicitRequestParams"]["properties"]["requestedSchema"] = {
        "type": "object",
        "properties": {
            "type": {"const": "object"},
            "properties": {"type": "object", "additionalProperties": fields},
            "required": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["type", "properties"],
    }


def tighten_types(defs):
    """What the official schemas require, and the package leaves open so that clients accept unknown values."""
    defs["RequestedSchema"]["properties"]["properties"]["additionalProperties"] = {"$ref": "#/$defs/PrimitiveSchemaDefinition"}
    for definition in defs.values():
        properties = definition.get("properties", {})
        if "io.modelcontextprotocol/serverInfo" in properties:
            properties["io.modelcontextprotocol/serverInfo"] = {"$ref": "#/$defs/Implementation"}


def methods(defs):
    """Which definition belongs to the message of a method, and which to its result."""
    table = {}
    for name, definition in defs.items():
        method = definition.get("properties", {}).get("method", {}).get("const")
        # `ClientNotification` is the union of a single notification.
        if method is None or name in ("ClientNotification", "ServerRequest"):
            continue
        entry = {"message": name}
        if name.endswith("Request"):
            result = name.removesuffix("Request") + "Result"
            entry["result"] = result if result in defs else "EmptyResult"
        table[method] = entry
    return table


def errors(defs):
    """Which definition belongs to the response with an error code, for codes with data of their own."""
    table = {}
    for name, definition in defs.items():
        error = definition.get("properties", {}).get("error", {}).get("$ref", "").rpartition("/")[2]
        code = defs.get(error, {}).get("properties", {}).get("code", {}).get("const")
        if code is not None:
            table[str(code)] = name
    return table


main()
