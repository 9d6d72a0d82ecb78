"""Letters that an output's encoding lacks, spelt in ASCII: a terminal or a file in cp1252, latin-1 or ASCII reads on.

The names of the Greek letters are Unicode's; combining marks become a suffix (Σ̂ → Sigma^).
"""

from __future__ import annotations

import codecs
import unicodedata
from typing import Any

SPELT = {
    "−": "-", "·": "*", "×": "x", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "∞": "inf", "√": "sqrt",
    "…": "...", "–": "-", "—": "-", "‖": "||", "⟨": "<", "⟩": ">", "→": "->", "∈": "in", "½": "1/2", "′": "'",
    "“": '"', "”": '"', "‘": "'", "’": "'", "∂": "d", "∇": "grad ", "±": "+-", "∘": "o", "̂": "^", "̄": "-",
    "̃": "~", "∑": "sum ", "°": " degrees", "″": "''", "₋": "_-", "←": "<-", "↦": "->", "⇒": "=>", "∓": "-+",
    "∫": "integral ", "≈": "~", "≡": "==", "⊗": "(x)", "⌈": "[", "⌉": "]", "⌊": "[", "⌋": "]", "⎡": "[",
    "⎣": "[", "⎤": "]", "⎦": "]", "✓": "yes", "✗": "no", "ₗ": "_l", "ₖ": "_k", "ᵢ": "_i", "ⱼ": "_j", "ₙ": "_n",
    "ᵀ": "^T", "⁻": "^-", "₊": "_+", "⁺": "^+", "\u00a0": " ", "∉": "not in", "∩": "and",
    "ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "ł": "l", "đ": "d",
}  # fmt: skip


def spelt(letter: str) -> str:
    """Return a letter in ASCII.

    Example
        >>> [spelt(c) for c in "αΣ−²₁é"]
        ['alpha', 'Sigma', '-', '2', '1', 'e']
    """
    if letter in SPELT:
        return SPELT[letter]
    name = unicodedata.name(letter, "")
    if name.startswith("GREEK"):
        word = name.rpartition("LETTER ")[2].split()[0].lower().replace("lamda", "lambda")
        return word.capitalize() if "CAPITAL" in name else word
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(spelt, error.object[error.start : error.end])), error.end


codecs.register_error("refclass.spelt", _replace)


def adapt(stream: Any) -> None:
    """Make a text stream spell what its encoding lacks; a stream that cannot be changed stays as it is."""
    change = getattr(stream, "reconfigure", None)
    if change is not None:
        change(errors="refclass.spelt")
