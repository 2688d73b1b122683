"""Objects at ``s3://``, read by botocore with the usual AWS credentials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, NoReturn

import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,
    CredentialRetrievalError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    SSOError,
)

from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.ranged import Broken, PlacedFile, PlacedState, persist, take
from reports.files.tree import MAX_FILES, too_many

_PAGES = 2 * MAX_FILES // 1000
_NONE = (
    NoCredentialsError,
    PartialCredentialsError,
    CredentialRetrievalError,
    ProfileNotFound,
    SSOError,
)
_FORBIDDEN = {
    *("403", "AccessDenied", "AllAccessDisabled", "InvalidAccessKeyId", "InvalidToken"),
    *("ExpiredToken", "SignatureDoesNotMatch", "RequestTimeTooSkewed", "AccountProblem"),
}
_ABSENT = {"404", "NoSuchKey", "NotFound"}
_CREDENTIALS = Text("Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")


class _Absent(Exception):
    """An object that does not exist."""


@dataclass(frozen=True, eq=False)
class StoredObject(PlacedFile):
    """An object of a bucket; see `PlacedFile`."""

    def fetch(self, start: int, count: int) -> bytes:
        """Fetch some bytes once; see `PlacedFile.fetch`."""
        bucket, key = _parted(self.url)
        wanted = f"bytes={start}-{start + count - 1}"
        try:
            answer = _client().get_object(
                Bucket=bucket, Key=key, Range=wanted, IfMatch=self.state.tag
            )
            with answer["Body"] as body:
                if answer.get("ContentRange") != f"{wanted.replace('=', ' ')}/{self.state.size}":
                    raise LoadError(
                        self.name,
                        Text("is on a server that cannot send parts of a file"),
                        Text("Copy the file to this machine, and give its path."),
                    )
                return take(body.read, count)
        except _Absent:
            raise self.changed() from None
        except ClientError as error:
            if error.response["Error"]["Code"] in ("PreconditionFailed", "412", "InvalidRange"):
                raise self.changed() from error
            _raise_as_changed(self, error)
        except BotoCoreError as error:
            _raise_as_changed(self, error)


def find(address: Address) -> StoredObject | None:
    """Return the object of this key; None if there is none."""
    bucket, key = _parted(address.text)
    if not key or key.endswith("/"):
        return None
    name = address.shown

    def ask() -> PlacedState:
        try:
            head = _client().head_object(Bucket=bucket, Key=key)
        except (BotoCoreError, ClientError) as error:
            _tell(name, error)
        return PlacedState(head["ContentLength"], _spelled(head["LastModified"]), head["ETag"])

    try:
        return StoredObject(name, address.text, persist(name, ask))
    except _Absent:
        return None


def below(address: Address) -> Iterator[tuple[str, StoredObject]]:
    """Find the objects below a key, as below a folder, by the rest of their keys.

    Raises LoadError if they may not be listed, or are too many.
    """
    bucket, key = _parted(address.text)
    start = f"{key.rstrip('/')}/" if key else ""
    token: dict[str, str] = {}
    for _number in range(_PAGES):
        page = persist(address.shown, partial(_page, address, bucket, start, token))
        for each in page.get("Contents", ()):
            path = each["Key"].removeprefix(start)
            state = PlacedState(each["Size"], _spelled(each["LastModified"]), each["ETag"])
            url = f"s3://{bucket}/{each['Key']}"
            yield path, StoredObject(f"{address.shown.rstrip('/')}/{path}", url, state)
        if not page.get("IsTruncated"):
            return
        token = {"ContinuationToken": page["NextContinuationToken"]}
    raise too_many(address.shown)


def _page(address: Address, bucket: str, start: str, token: dict[str, str]) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _client().list_objects_v2(Bucket=bucket, Prefix=start, **token)
    except (BotoCoreError, ClientError) as error:
        _tell(address.shown, error)
    return found


def _raise_as_changed(placed: StoredObject, error: BotoCoreError | ClientError) -> NoReturn:
    try:
        _tell(placed.name, error)
    except _Absent:
        raise placed.changed() from error


def _tell(name: str, error: BotoCoreError | ClientError) -> NoReturn:
    """Say in one sentence what AWS, or what speaks like it, says in many ways."""
    if isinstance(error, _NONE):
        raise LoadError(
            name, Text("needs credentials, and this environment has none"), _CREDENTIALS
        ) from error
    if isinstance(error, (ConnectionError, HTTPClientError, IncompleteReadError)):
        problem = Text("cannot be reached")
        if isinstance(error, EndpointConnectionError):
            raise LoadError(
                name, problem, Text("Check the network, AWS_REGION and AWS_ENDPOINT_URL.")
            ) from error
        raise Broken(problem) from error
    if isinstance(error, ClientError):
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in _ABSENT:
            raise _Absent from error
        if code == "NoSuchBucket":
            raise LoadError(
                name, Text("is in a bucket that does not exist"), Text("Check the address.")
            ) from error
        if code in _FORBIDDEN:
            raise LoadError(
                name,
                Text("may not be read with the credentials of this environment"),
                _CREDENTIALS,
            ) from error
        raise LoadError(
            name,
            Text("cannot be read (its server says {code:.40})", code=code),
            Text("Check the address, AWS_REGION and AWS_ENDPOINT_URL."),
        ) from error
    raise LoadError(
        name,
        Text("cannot be read ({reason})", reason=type(error).__name__),
        Text("Check the address, and the settings of AWS in this environment."),
    ) from error


def _parted(url: str) -> tuple[str, str]:
    bucket, _, key = url.removeprefix("s3://").partition("/")
    return bucket, key


def _spelled(time: datetime) -> str:
    return time.replace(microsecond=0).isoformat()


@cache
def _client() -> Any:
    config = Config(
        connect_timeout=10,
        read_timeout=30,
        retries={"mode": "standard", "total_max_attempts": 3},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return botocore.session.get_session().create_client("s3", config=config)
