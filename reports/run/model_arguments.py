"""Arguments with which a tool loads or calls a model: revision, precision, adapter, endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

WEIGHTS_ARE_PLAIN = {"revision": "main", "quantisation": "none", "adapter": "none"}
"""What holds of weights that a tool loads itself, unless its arguments say otherwise."""
_CALLED = {
    "revision": ("revision", "model_revision", "hub_revision"),
    "model_sha": ("model_sha", "sha"),
    "subfolder": ("subfolder",),
    "dtype": ("model_dtype", "dtype", "torch_dtype", "precision", "weight_type"),
    "adapter": (
        *("adapter", "peft", "delta", "peft_model", "peft_path", "lora_local_path"),
        *("lora_path", "lora"),
    ),
    "adapter_sha": ("peft_sha", "delta_sha"),
    "endpoint": ("base_url", "model_base_url", "api_url", "api_base", "api_base_url", "url"),
    "server": ("server", "inference_engine"),
    "server_version": ("server_version", "system_fingerprint"),
    "max_length": ("max_length", "max_model_len", "max_model_length"),
    "thinking": ("enable_thinking", "thinking"),
}
_SAMPLING = {
    **{
        name: name
        for name in (
            *("temperature", "top_p", "top_k", "min_p", "max_tokens", "seed", "do_sample"),
            *("repetition_penalty", "frequency_penalty", "presence_penalty"),
            *("reasoning_effort", "reasoning_tokens", "system_message"),
        )
    },
    **dict.fromkeys(("max_gen_toks", "max_new_tokens"), "max_tokens"),
    **dict.fromkeys(("until", "stop_seqs", "stop_tokens"), "stop"),
}
"""What tools call a setting of sampling, and what kofn calls it."""
_QUANTISED = ("quantisation", "quantization", "quantize", "quantization_method", "gguf_file")
_BITS = {"load_in_4bit": "4 bit", "load_in_8bit": "8 bit"}
_BY = {"autogptq": "gptq", "gptqmodel": "gptq"}
_KIND = ("bnb_4bit_quant_type", "bnb_4bit_compute_dtype")
_WITHIN = ("model_kwargs", "quantization_config")


def argument_settings(*argument_groups: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the arguments of a model say of it, by the names of `reports.run.fingerprint`.

    *argument_groups: What one says, a later one does not change.

    Examples
    --------
    >>> arguments = {"pretrained": "org/m", "load_in_4bit": True, "dtype": "auto", "peft": "a"}
    >>> argument_settings(arguments)
    {'quantisation': '4 bit', 'adapter': 'a'}
    >>> argument_settings({"base_url": "https://me:secret@host:8000/v1?key=x", "revision": "v2"})
    {'revision': 'v2', 'endpoint': 'https://host:8000/v1'}
    """
    every: dict[str, Any] = {}
    for arguments in argument_groups:
        within = [arguments[name] for name in _WITHIN if isinstance(arguments.get(name), Mapping)]
        for each in (arguments, *within):
            every |= {
                name: value for name, value in each.items() if name not in every and _says(value)
            }
    settings: dict[str, Any] = {
        ours: value
        for ours, names in _CALLED.items()
        if (value := _first(every, names)) is not None
    }
    if (quantised := _quantised(every)) is not None:
        settings = {"quantisation": quantised, **settings}
    if "dtype" in settings:
        settings["dtype"] = str(settings["dtype"]).removeprefix("torch.")
    if "endpoint" in settings:
        settings["endpoint"] = _address(settings["endpoint"])
    order = ("revision", "model_sha", "subfolder", "quantisation")
    return {name: settings[name] for name in (*order, *settings) if name in settings}


def sampling(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return how samples were drawn, of what a model was told.

    Examples
    --------
    >>> sampling({"temperature": 0.7, "max_new_tokens": 64, "until": ["Q:"], "seed": None})
    {'temperature': 0.7, 'max_tokens': 64, 'stop': ['Q:']}
    """
    return {
        ours: arguments[theirs]
        for theirs, ours in _SAMPLING.items()
        if arguments.get(theirs) is not None
    }


def parse(arguments: Any) -> dict[str, Any]:
    """Return arguments that may be written as one text, such as ``pretrained=org/m,dtype=bf16``.

    Examples
    --------
    >>> parse("pretrained=org/m,load_in_4bit=True,revision=v2"), parse({"a": 1}), parse(None)
    ({'pretrained': 'org/m', 'load_in_4bit': True, 'revision': 'v2'}, {'a': 1}, {})
    """
    if isinstance(arguments, Mapping):
        return dict(arguments)
    if not isinstance(arguments, str):
        return {}
    pairs = (each.partition("=") for each in arguments.split(","))
    spelled = {"True": True, "true": True, "False": False, "false": False}
    return {name.strip(): spelled.get(value, value) for name, sign, value in pairs if sign}


def _first(every: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((every[name] for name in names if name in every), None)


def _says(value: Any) -> bool:
    return value not in (None, False, "", "auto", [], {}, ())


def _quantised(every: Mapping[str, Any]) -> str | None:
    named = _first(every, _QUANTISED)
    if isinstance(named, str):
        return named
    kind = [str(every[name]) for name in _KIND if name in every]
    for name, bits in _BITS.items():
        if every.get(name) in (True, "True", "true"):
            return " ".join((bits, *kind))
    return next((by for name, by in _BY.items() if every.get(name, "False") != "False"), None)


def _address(value: Any) -> str | None:
    """Return an address without what stands in it for a user, and without its query."""
    try:
        found = urlsplit(str(value))
        host = f"{found.hostname}:{found.port}" if found.port else found.hostname or ""
    except ValueError:
        return None
    return f"{found.scheme}://{host}{found.path}" if found.hostname else None
