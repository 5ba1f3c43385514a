"""Says for each architecture file whether the JSON Schema accepts it: lines of "FILE: accepts" or "FILE: rejects, why".

YAML is read strictly, as smsim reads it: one document, no duplicate keys, no anchors, aliases or tags, and plain scalars
typed as in YAML 1.2's core schema. Needs Debian's python3-yaml and python3-jsonschema.
"""

import json
import re
import sys

import jsonschema
import yaml

NULL = re.compile(r"~|null|Null|NULL|")
BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
DECIMAL = re.compile(r"[-+]?[0-9]+")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


class Refused(Exception):
    """The text is no YAML that smsim reads."""


def plain_value(text):
    if NULL.fullmatch(text):
        return None
    if BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if DECIMAL.fullmatch(text):
        return int(text)
    if HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if FLOAT.fullmatch(text):
        return float(text)
    return text  # .inf and .nan too: JSON has no such numbers


def build(event, events):
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise Refused("an anchor or alias")
    if event.tag:
        raise Refused("a tag")
    if isinstance(event, yaml.ScalarEvent):
        return plain_value(event.value) if event.style is None else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(build(item, events))
        return items
    entries = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        if not isinstance(key, yaml.ScalarEvent) or build(key, events) is None:
            raise Refused("a key that is no word")
        if key.value in entries:
            raise Refused("a duplicate key")
        entries[key.value] = build(next(events), events)
    return entries


def read(path):
    with open(path, encoding="utf-8-sig") as file:
        events = yaml.parse(file.read())
        next(events)  # the stream begins
        if isinstance(next(events), yaml.StreamEndEvent):
            raise Refused("an empty file")
        root = build(next(events), events)
        next(events)  # the document ends
        if not isinstance(next(events), yaml.StreamEndEvent):
            raise Refused("a second document")
        return root


def main(schema_path, paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in paths:
        try:
            why = next((error.message for error in validator.iter_errors(read(path))), None)
        except (Refused, yaml.YAMLError, UnicodeError) as error:
            why = str(error)
        print(f"{path}: " + ("accepts" if why is None else "rejects, " + " ".join(why.split())[:200]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
