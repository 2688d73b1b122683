"""Read the files of evaluation harnesses into runs with their outcomes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
