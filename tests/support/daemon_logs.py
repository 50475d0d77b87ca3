"""A plug-in of pytest, `-p daemon_logs`: a test that fails shows the end of the log of each daemon that still runs, which
is one that its file's tests share."""
import pytest
from postbus_daemon import Daemon


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        for each in Daemon.alive:
            report.sections.append(('log of postbusd, pid %d' % each.pid, each.log()[-20000:]))
