"""Finds the names in backticks that a text uses as members of a type.

Such a claim is a whole code span that reads as a name: `Find`, `Store.Find`, `Find(string)`, `_items`, `Items[0]`. Not
claims are expressions, literals, keywords, words without a lower-case letter (`GET`), words that begin in lower case
(parameters, locals) unless they are called, members of a variable (`options.Timeout`), and names that are plainly types
of the platform or members of every object. Code fences contain examples, not claims.
"""

from __future__ import annotations

from codecortex.analysis.notes.sanitize import split_code
from codecortex.model.startup.patterns import compile_later

_NAME = compile_later(
    r"(?P<dotted>@?[^\W\d]\w*(?:<[\w\s,.<>?\[\]]*>)?(?:\??\.@?[^\W\d]\w*(?:<[\w\s,.<>?\[\]]*>)?)*)"
    r"(?P<rest>(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])?)[?!;]?"
)
_ARGUMENTS = compile_later(r"<[^.]*?>(?=\.|$)|<.*>")
_LONGEST = 200


def _list_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEYWORDS = _list_words(
    "abstract add alias and as ascending async await base bool break by byte case catch char checked class const "
    "continue decimal default delegate descending do double dynamic else enum equals event explicit extern false file "
    "finally fixed float for foreach from get global goto group if implicit in init int interface internal into is "
    "join let lock long managed nameof namespace new nint not notnull nuint null object on operator or orderby out "
    "override params partial private protected public readonly record ref remove required return sbyte scoped sealed "
    "select set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked "
    "unmanaged unsafe ushort using value var virtual void volatile when where while with yield field extension"
)
_PLATFORM = _list_words(
    "Action Activity Array ArrayPool Assembly AsyncLocal BigInteger BinaryReader BinaryWriter Boolean Buffer Byte "
    "CancellationToken CancellationTokenSource Channel Char Collection ConcurrentBag ConcurrentDictionary "
    "ConcurrentQueue ConcurrentStack Console Convert CultureInfo DateOnly DateTime DateTimeKind DateTimeOffset Debug "
    "Decimal Delegate Dictionary DayOfWeek Directory Double Encoding Enum Enumerable Environment EventArgs "
    "EventHandler Expression File FileStream Func FrozenDictionary FrozenSet GC Guid HashCode HashSet Half "
    "HttpClient HttpContext ImmutableArray ImmutableDictionary ImmutableHashSet ImmutableList Index Int16 Int32 Int64 "
    "Interlocked IntPtr JsonSerializer KeyValuePair Lazy LinkedList List Lock Math Memory MemoryCache MemoryStream "
    "Monitor Mutex Nullable Object ObservableCollection Parallel Path Predicate Queue Random Range "
    "ReaderWriterLockSlim ReadOnlyCollection ReadOnlyMemory ReadOnlySpan Regex Semaphore SemaphoreSlim Single "
    "SortedDictionary SortedList SortedSet Span Stack Stopwatch Stream StreamReader StreamWriter String StringBuilder "
    "StringComparer StringComparison SynchronizationContext Task TaskCompletionSource TaskScheduler TextReader "
    "TextWriter Thread ThreadLocal ThreadPool TimeOnly TimeProvider TimeSpan TimeZoneInfo Timer Tuple Type UInt16 "
    "UInt32 UInt64 Uri ValueTask ValueTuple ValueType Version Volatile WeakReference XDocument XElement"
)
OF_OBJECT = _list_words("Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString")
_TYPE_SHAPE = compile_later(r"\w+(?:Exception|Attribute)|I[A-Z]\w*[a-z]\w*|T(?:[A-Z]\w*)?|System|Microsoft")


def list_claims(text: str) -> tuple[str, ...]:
    """The distinct claims of a text as `Member` or `Type.Member`, without arguments, in order."""
    found: dict[str, None] = {}
    for span in split_code(text).spans:
        name = _read_claim(span.strip())
        if name:
            found[name] = None
    return tuple(found)


def _read_claim(span: str) -> str:
    """The member that a code span claims to name, with its type if given; empty if it makes no claim."""
    match = _NAME.fullmatch(span) if len(span) <= _LONGEST else None
    if match is None:
        return ""
    parts = [part.lstrip("@") for part in _ARGUMENTS.sub("", match["dotted"]).replace("?.", ".").split(".")]
    while parts and parts[0] in ("this", "base"):
        parts = parts[1:]
    if not parts or not all(parts):
        return ""
    own, name = parts[-2:-1], parts[-1]
    if own:
        return f"{own[0]}.{name}" if own[0][0].isupper() else ""
    called = match["rest"].startswith("(")
    if name in _KEYWORDS or name in OF_OBJECT or _is_plain(name):
        return ""
    if not called and (name[0].islower() or not any(letter.islower() for letter in name)):
        return ""
    return name


def _is_plain(name: str) -> bool:
    """Whether a name is plainly that of a type outside the repository."""
    return name in _PLATFORM or _TYPE_SHAPE.fullmatch(name) is not None
