from tests.cli.conftest import _ctrl_c_is_ours_again

__all__ = ["_ctrl_c_is_ours_again"]
