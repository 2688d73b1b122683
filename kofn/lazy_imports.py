"""Imports that only a module's functions need are postponed until one of them runs.

So ``kofn score --help`` imports what its parser is made of, and a small table neither pandas nor
the readers of other files. This is ``lazy from … import …`` of Python 3.15 (PEP 810) for earlier
versions, and for the process of the command: modules are written as ever, and elsewhere, as in
pages and tests, they import all at once.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import LazyLoader, cache_from_source, find_spec
from zlib import crc32

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from symtable import SymbolTable
    from types import CodeType, ModuleType
    from typing import Any

    from typing_extensions import Buffer

OURS = ("kofn", "metrics", "reports", "charts", "pages")
SLOW = ("duckdb", "numpy", "pandas", "plotly", "pyarrow", "requests", "rich", "scipy", "yaml")
"""What takes long to import of what is not ours."""
UNUSED = ("numpy.f2py", "numpy.testing")
"""What SciPy imports with all else of NumPy, and what takes longer than all else of it."""
KEPT = f".postponed-{crc32(SourceFileLoader(__name__, __file__).get_data(__file__)):08x}.pyc"
"""How files end that hold modules compiled so, as this module does it, beside Python's own."""
_AT_ONCE = ("listcomp", "setcomp", "dictcomp", "genexpr")
"""Functions, to a compiler, that run where they stand."""


class Later:
    """A module that is imported when something of it is first asked for.

    Examples
    --------
    >>> Later("math").floor(2.5)
    2
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        module, within = import_module(self._module), f"{self._module}.{name}"
        if hasattr(module, "__path__") and name not in vars(module) and find_spec(within):
            import_module(within)
        found = getattr(module, name)
        setattr(self, name, found)
        return found


def install() -> None:
    """Import so from now on."""
    sys.meta_path.insert(sys.meta_path.index(PathFinder), _Finder())


class _Finder:
    """Finds what is ours, and what others import for nothing."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        ours = name.partition(".")[0] in OURS
        if not ours and name not in (*SHORTENED, *UNUSED):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return spec
        if name in UNUSED:
            spec.loader = LazyLoader(spec.loader)
        elif name in SHORTENED:
            spec.loader = SHORTENED[name](name, spec.origin)
        elif is_worth_it(spec.origin):
            spec.loader = _Postponing(name, spec.origin)
        return spec


class _WithoutPandas(SourceFileLoader):
    """Has PyArrow look for pandas before its first array, and in vain.

    It looks once, to know a frame if one is given to it, and again where one is asked of it. Where
    pandas imports PyArrow itself, it would find half of pandas.
    """

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if "pandas" in sys.modules:
            return
        sys.meta_path.insert(0, self)
        module.array([0])
        sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Find nothing of pandas."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


class _WithoutTables(SourceFileLoader):
    """Has SciPy write into no docstring which libraries of arrays each function takes."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module)["xp_capabilities"] = lambda **_options: lambda function: function


SHORTENED = {"pyarrow": _WithoutPandas, "scipy._lib._array_api": _WithoutTables}
"""What does less than usual when it is imported."""


class _Postponing(SourceFileLoader):
    """Compiles modules as `postponed` has them."""

    def source_to_code(  # type: ignore[override]
        self, data: bytes, path: str, *, _optimization: int = -1
    ) -> CodeType:
        """Compile a module."""
        code: CodeType = compile(postponed(data), path, "exec", optimize=_optimization)
        return code

    def get_data(self, path: str) -> bytes:
        """Read a module, or what is kept of it."""
        return super().get_data(_cache_path(path) if path.endswith(".pyc") else path)

    def set_data(self, path: str, data: Buffer, *, _mode: int = 0o666) -> None:
        """Keep a module."""
        super().set_data(_cache_path(path), data, _mode=_mode)


def _cache_path(path: str) -> str:
    return path.removesuffix(".pyc") + KEPT


def is_worth_it(source: str) -> bool:
    """Return whether a module need not be compiled each time while Python has it compiled."""
    theirs = cache_from_source(source)
    if os.path.exists(_cache_path(theirs)) or not os.path.exists(theirs):
        return True
    return os.access(os.path.dirname(theirs), os.W_OK) and not sys.dont_write_bytecode


def postponed(source: bytes) -> ast.Module:
    r"""Return a module whose functions find what only they use in the module that it comes from.

    That is what is imported of `OURS` and `SLOW` at its top, under a name that stands for nothing
    else in it, and is not needed while the module is imported.

    Examples
    --------
    >>> source = b"from __future__ import annotations\n"
    >>> source += b"from kofn.card import Card, title\n"
    >>> source += b"def above(card: Card) -> str:\n    return title(card)\n"
    >>> print(ast.unparse(postponed(source)))
    from __future__ import annotations
    from kofn.lazy_imports import Later as _Later, names_of as _names_of
    _kofn_card = _Later('kofn.card')
    __getattr__ = _names_of(__name__, {'Card': '_kofn_card.Card', 'title': '_kofn_card.title'})
    <BLANKLINE>
    def above(card: Card) -> str:
        return _kofn_card.title(card)
    """
    from symtable import symtable

    tree = ast.parse(source)
    table = symtable(source.decode(), "", "exec")
    taken = {*_used_at_once(table), *_shadowing(table), *_assigned(tree)}
    postponed_names = {
        _called(alias): (node, alias)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if _called(alias) not in taken and _is_slow(node, alias)
    }
    if not postponed_names:
        return tree
    begin = min(tree.body.index(node) for node, _alias in postponed_names.values())
    places, modules = {}, {}
    for name, (node, alias) in postponed_names.items():
        node.names.remove(alias)
        of = node.module if isinstance(node, ast.ImportFrom) else None
        module = of or alias.name
        modules[module] = "_" + module.replace(".", "_")
        places[name] = f"{modules[module]}.{alias.name}" if of else modules[module]
    made = ["from kofn.lazy_imports import Later as _Later, names_of as _names_of"]
    made += [f"{variable} = _Later({module!r})" for module, variable in modules.items()]
    if "__getattr__" not in table.get_identifiers():
        made.append(f"__getattr__ = _names_of(__name__, {places})")
    tree.body[begin:begin] = ast.parse("\n".join(made)).body
    tree.body = [node for node in tree.body if getattr(node, "names", True)]
    _Elsewhere(places).visit(tree)
    return ast.fix_missing_locations(tree)


def names_of(module: str, places: Mapping[str, str]) -> Any:
    """Return what finds for others the names that a module has from elsewhere."""

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        found: Any = sys.modules[module]
        for part in places[name].split("."):
            found = getattr(found, part)
        return found

    return find


class _Elsewhere(ast.NodeTransformer):
    """Looks names up where they come from."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if (place := self._places.get(node.id)) is None:
            return node
        return ast.copy_location(ast.parse(place, mode="eval").body, node)

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        """Change no annotation of a function, by which some are known to `kofn.workers.wire`."""
        node.defaults = [self.visit(each) for each in node.defaults]
        node.kw_defaults = [each and self.visit(each) for each in node.kw_defaults]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Change no annotation."""
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node


def _called(alias: ast.alias) -> str:
    return alias.asname or alias.name


def _is_slow(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    module = node.module if isinstance(node, ast.ImportFrom) else alias.name
    return (module or "").partition(".")[0] in (*OURS, *SLOW) and "." not in _called(alias)


def _used_at_once(table: SymbolTable) -> Iterator[str]:
    """Yield the names that are looked up while a module is imported."""
    yield from (each.get_name() for each in table.get_symbols() if each.is_referenced())
    for within in table.get_children():
        if within.get_type() == "class" or within.get_name() in _AT_ONCE:
            yield from _used_at_once(within)


def _shadowing(table: SymbolTable) -> Iterator[str]:
    """Yield the names that stand for something of their own in a class or function."""
    for within in table.get_children():
        yield from (each.get_name() for each in within.get_symbols() if each.is_local())
        yield from _shadowing(within)


def _assigned(tree: ast.Module) -> Iterable[str]:
    """Yield the names that are assigned to somewhere, or stand for what is imported again."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
