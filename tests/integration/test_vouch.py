"""losos-registrar vouch: who may have domains, noted by hand."""

import pytest
from losos_tools import mode_of, read_json, run, write_text

UUID = "5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b10"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "vouched.json"


def vouch(command, file, *args):
    return run("losos-registrar", "vouch", command, "--vouch-file", file, *args)


def put(file, box, *args, account="acct_1Abc", uuid=UUID):
    return vouch("set", file, box, "--account-id", account, "--box-uuid", uuid, *args)


def test_boxes_are_noted_listed_and_removed(file):
    for done in (vouch("list", file), vouch("remove", file, "anna")):
        assert (done.code, done.out) == (6, "")
        assert f"{file} is missing; losos-registrar vouch set makes it" in done.err
    assert put(file, "zoe", "--not-ready", account="Zoë & Co").code == 0
    assert put(file, "anna", uuid=UUID.upper()).code == 0
    assert read_json(file) == {"sellers": {
        "anna": {"account_id": "acct_1Abc", "ready": True, "box_uuid": UUID},
        "zoe": {"account_id": "Zoë & Co", "ready": False, "box_uuid": UUID}}}
    assert mode_of(file) == 0o600
    assert vouch("list", file).out == (f"anna {UUID} ready acct_1Abc\n"
                                       f"zoe {UUID} not-ready Zoë & Co\n")
    assert put(file, "zoe").code == 0
    assert vouch("list", file).out.splitlines()[1] == f"zoe {UUID} ready acct_1Abc"
    assert vouch("remove", file, "anna").code == 0
    assert list(read_json(file)["sellers"]) == ["zoe"]
    gone = vouch("remove", file, "anna")
    assert gone.code == 1 and "anna" in gone.err


def test_a_uuid_that_another_box_has_is_warned_of_and_noted_all_the_same(file):
    assert put(file, "anna").err == ""
    done = put(file, "ben")
    assert done.code == 0
    assert f"{file}: ben and anna have one box_uuid" in done.err
    assert list(read_json(file)["sellers"]) == ["anna", "ben"]
    assert put(file, "ben", uuid=UUID.replace("5e1b", "5e1c")).err == ""


def test_what_the_market_wrote_is_kept(file):
    write_text(file, '{"sellers": {"anna": {"account_id": "acct_1", "ready": false, '
                     '"box_uuid": null}}}')
    assert put(file, "ben").code == 0
    rows = read_json(file)["sellers"]
    assert rows["anna"] == {"account_id": "acct_1", "ready": False, "box_uuid": None}
    assert vouch("list", file).out.splitlines()[0] == "anna - not-ready acct_1"


def test_a_file_that_cannot_be_used_is_left_alone(file):
    for text in ('{"sellers": {', "[]", '{"sellers": []}', ""):
        write_text(file, text)
        for done in (put(file, "anna"), vouch("remove", file, "anna"), vouch("list", file)):
            assert done.code == 6 and str(file) in done.err, done
        assert file.read_text(encoding="utf-8") == text


def test_an_odd_row_is_never_lost_by_the_way(file):
    write_text(file, '{"sellers": {"anna": {"ready": "yes"}, "zoe": {}}}')
    text = file.read_text(encoding="utf-8")
    done = put(file, "ben")
    assert done.code == 6 and "anna" in done.err, done
    assert file.read_text(encoding="utf-8") == text
    listed = vouch("list", file)
    assert listed.code == 0 and "anna" in listed.err and listed.out.startswith("zoe ")
    assert vouch("remove", file, "anna").code == 0
    assert list(read_json(file)["sellers"]) == ["zoe"]


@pytest.mark.parametrize("args", [
    ("Anna", "--account-id", "a", "--box-uuid", UUID), ("anna", "--box-uuid", UUID),
    ("anna", "--account-id", "a"), ("anna", "--account-id", "", "--box-uuid", UUID),
    ("anna", "--account-id", "a\nb", "--box-uuid", UUID),
    ("anna", "--account-id", "a", "--box-uuid", "5e1b7d0c"), ("--account-id", "a",
                                                             "--box-uuid", UUID)])
def test_what_makes_no_row_is_wrong_usage(file, args):
    done = vouch("set", file, *args)
    assert done.code == 2, done
    assert not file.exists()
