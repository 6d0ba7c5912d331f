"""The digest of a certificate, spelled out, and which formats and versions are read."""

import hashlib
import json
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.recheck.reading import BOUND_FORMAT, FORMAT, LOG_FORMAT, digest, kind_of, read


def test_the_digest_is_of_one_canonical_spelling() -> None:
    body = {"b": [1, 2.5, {"z": None, "ä": True}], "digest": "x", "a": "ü"}
    text = '{"a":"ü","b":[1,2.5,{"z":null,"ä":true}]}'
    assert digest(body) == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_a_file_is_read_as_the_format_that_is_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "file.json"
    for form in (FORMAT, BOUND_FORMAT):
        body = {"format": form, "claims": [{"id": "one"}]}
        place.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
        assert read(place, form) == {**body, "digest": digest(body)}
        other = BOUND_FORMAT if form == FORMAT else FORMAT
        with pytest.raises(InvalidInput, match="write it anew with the --cert"):
            read(place, other)
    with pytest.raises(InvalidInput, match="is not a certificate"):
        read(place)
    assert kind_of(place) == "bound"


@pytest.mark.parametrize("form", [BOUND_FORMAT, LOG_FORMAT])
def test_an_earlier_version_is_refused_in_one_line(form: str, tmp_path: Path) -> None:
    name, _, version = form.rpartition(" ")
    body = {"format": f"{name} {int(version) - 1}", "claims": [{"id": "one"}]}
    place = tmp_path / "file.json"
    place.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    assert kind_of(place) == ("bound" if form == BOUND_FORMAT else "log")
    with pytest.raises(InvalidInput, match=f"of format '{form}': write it anew"):
        read(place, form)


@pytest.mark.parametrize("claims", [None, [], {}, [3], [{}], [{"id": 3}], [{"id": "one"}, "two"]])
def test_a_file_has_claims_with_names(claims, tmp_path: Path) -> None:
    place, body = tmp_path / "file.json", {"format": FORMAT, "claims": claims}
    place.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="has no list of claims: write it anew"):
        read(place)
