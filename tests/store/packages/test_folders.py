"""Where packages and SDKs lie."""

import os

import pytest

from codecortex.store.packages import folders
from codecortex.store.packages.folders import Machine, find_machine, read_bytes, stamp
from tests.cli.conftest import write_files


@pytest.fixture
def machine(tmp_path):
    write_files(
        tmp_path,
        {
            "packages/lib/1.0.0/lib/net8.0/Lib.dll": "",
            "packages/lib/1.0.0/lib/net8.0/Lib.xml": "",
            "packages/lib/1.0.0/build/net8.0/Lib.props": "",
            "packages/lib/1.0.0/buildTransitive/Lib.targets": "",
            "packages/lib/2.0.0/lib.nuspec": "",
            "packages/f.ref/9.0.1/ref/net9.0/F.dll": "",
            "sdk/packs/F.Ref/9.0.2/ref/net9.0/F.dll": "",
        },
    )
    return Machine((tmp_path / "packages",), (tmp_path / "sdk",))


def test_versions_and_folders_of_packages(machine, tmp_path):
    folder = tmp_path / "packages/lib/1.0.0"

    assert machine.list_versions("LIB") == ["1.0.0", "2.0.0"]
    assert machine.find_package("lib/1.0.0") == folder
    assert machine.find_package("lib/3.0.0") is None
    assert machine.list_assemblies(folder / "lib/net8.0") == [folder / "lib/net8.0/Lib.dll"]
    assert sorted(name for name, _ in machine.list_build_files(folder)) == [
        "build/net8.0/Lib.props",
        "buildTransitive/Lib.targets",
    ]


def test_packs_lie_in_sdks_and_among_packages(machine, tmp_path):
    assert machine.list_packs("F") == [
        ("9.0.2", tmp_path / "sdk/packs/F.Ref/9.0.2"),
        ("9.0.1", tmp_path / "packages/f.ref/9.0.1"),
    ]


def test_no_path_leads_out_of_a_folder_of_packages(machine):
    assert machine.find_package("../sdk") is None
    assert machine.find_package("lib/../../sdk") is None


def test_folders_of_other_machines_are_left_out(machine, tmp_path):
    more = tmp_path / "more"
    write_files(more, {"lib/4.0.0/lib.nuspec": ""})

    found = machine.with_packages([str(more), "relative", "//server/share", "\\\\server\\share", ""])

    assert found.list_versions("lib") == ["4.0.0", "1.0.0", "2.0.0"]


@pytest.mark.usefixtures("machine")
def test_the_machine_is_found_by_variables_and_by_the_program_on_path(tmp_path, monkeypatch):
    program = tmp_path / "sdk/dotnet"
    program.write_bytes(b"")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/dotnet").symlink_to(program)
    monkeypatch.setenv("PATH", f"relative{os.pathsep}{tmp_path / 'bin'}")
    monkeypatch.setenv("NUGET_PACKAGES", str(tmp_path / "packages"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)

    found = find_machine()

    assert found.list_versions("lib") == ["1.0.0", "2.0.0"]
    assert [version for version, _ in found.list_packs("F")][:1] == ["9.0.2"]


def test_only_regular_files_of_a_bearable_size_are_read(tmp_path, monkeypatch):
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_bytes(b"12345")

    assert stamp(pipe) is None
    assert stamp(tmp_path / "none") is None
    assert read_bytes(file) == b"12345"
    with pytest.raises(OSError, match="no regular file"):
        read_bytes(pipe)
    monkeypatch.setattr(folders, "MOST_BYTES", 4)
    with pytest.raises(OSError, match="longer than"):
        read_bytes(file)
