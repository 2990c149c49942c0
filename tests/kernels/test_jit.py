import os
from pathlib import Path

import pytest

from spider_solver.kernels import jit


def test_another_installation_is_not_compiled_yet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setattr(jit, "cache_folder", lambda: cache)
    monkeypatch.setattr(jit, "_KEEP", True)
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "beam.py").write_text("width = 8\n")
    monkeypatch.setattr(jit, "_FOLDER", folders[0])
    assert not jit.is_warm()
    jit.mark_warm()
    assert jit.is_warm()
    monkeypatch.setattr(jit, "_FOLDER", folders[1])
    assert not jit.is_warm()
    monkeypatch.setattr(jit, "_FOLDER", folders[0])
    assert jit.is_warm()
    os.utime(folders[0] / "beam.py", ns=(1, 1))  # installed anew
    assert not jit.is_warm()
