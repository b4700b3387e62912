"""What both servers do, so that both do the same."""

from enum import Enum
from typing import Annotated, Optional

from pydantic import BaseModel, Field


class Kind(str, Enum):
    doc = "doc"
    code = "code"
    issue = "issue"


class Filter(BaseModel):
    kind: Kind
    min_score: Annotated[Optional[float], Field(ge=0)] = None


class Hit(BaseModel):
    id: int
    title: str
    kind: Kind
    score: float


class Found(BaseModel):
    total: int
    hits: list[Hit]


def run_search(query: str, limit: int, filter: Optional[Filter]) -> Found:
    kind = filter.kind if filter else Kind.doc
    least = (filter.min_score if filter else None) or 0.0
    hits = [Hit(id=id, title=f"{query} #{id}", kind=kind, score=1 / (1 + id)) for id in range(limit)]
    hits = [hit for hit in hits if hit.score >= least]
    return Found(total=len(hits), hits=hits)
