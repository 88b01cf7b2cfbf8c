"""Summaries and guidance, in both languages; one sentence each."""

from __future__ import annotations

from enum import Enum

from codecortex.editing.values import Language


class Say(Enum):
    """What can be said: the English and the Chinese text, with places for values."""

    REPLACED = "Replaced one passage.", "已替换 1 处。"
    SELECTED = "Replaced candidate {0}.", "已替换候选 {0}。"
    APPENDED = "Appended to the end.", "已追加到末尾。"
    CREATED = "Created the text.", "已创建文本。"
    UPDATED = "Replaced the whole text.", "已更新全文。"
    REMOVED = "Removed the text, and its file.", "已删除文本及其文件。"
    UNDONE = "Went back to the version before.", "已撤销一步。"
    REDONE = "Went forward to the version after.", "已重做一步。"
    COMMITTED = "Wrote the buffer to the file.", "已将缓存写回文件。"
    SAVED = "Wrote the buffer to {0}.", "已将缓存另存为 {0}。"
    DISCARDED = "Discarded what differed from the file.", "已放弃缓存中的修改。"
    DROPPED = "Discarded the candidates.", "已放弃候选选区。"
    COMPARED = "This is what differs from the file.", "以下是缓存与文件的差异。"
    REFRESHING = "Reading the file anew.", "正在刷新文件内容。"
    REFRESHED = "Read the file anew.", "已刷新为文件内容。"
    CHANGED_OUTSIDE = "The file was changed outside: its content was read anew.", "内容已更新:文件被外部修改。"
    RESTORED = "The file says again what it said before it was changed outside.", "文件已恢复为外部修改前的内容。"
    SHOWN = "The text and its state.", "当前文本与状态。"

    NO_MATCH = "No passage matches.", "未找到匹配的文本。"
    MULTI_MATCH = "{0} passages match; {1} are shown.", "在目标文本中检测到 {0} 处候选,显示 {1} 处。"
    STALE = "The candidates are no longer valid: the text has changed.", "选区已作废:文本已变化。"
    SAME = "Nothing to do: the text would stay as it is.", "无需操作:文本不会变化。"
    IN_SYNC = "Nothing to do: the buffer says what the file says.", "无需操作:缓存与文件一致。"
    NO_VERSION = "Nothing to do: there is no such version.", "无需操作:没有可用的版本。"
    CONFLICT = "The file was changed outside, and the buffer differs from it.", "文件被外部修改,与缓存不一致。"
    GONE = "The file was removed outside.", "文件已被外部删除。"
    MOVED = "The file was removed outside; {0} says what it said.", "文件已被外部删除;{0} 与其内容相同。"
    UNREADABLE = "The file {0}.", "无法读取文件:{0}。"
    NOT_WRITTEN = "The file could not be written: {0}", "写回失败:{0}"
    NOT_SAVED = "{0} could not be written: {1}", "另存为 {0} 失败:{1}"
    NOT_ALLOWED = "{0} is not allowed in state {1}.", "状态 {1} 下不允许 {0}。"
    NO_CANDIDATE = "There is no candidate {0}.", "不存在候选 {0}。"
    EMPTY_NEEDLE = "The text to look for is empty.", "要查找的文本为空。"
    EXISTS = "The file exists already; nothing was written.", "文件已存在,未写入。"
    MISSING = "The file does not exist; nothing was written.", "文件不存在,未写入。"
    NOT_ENCODABLE = "The file's encoding {0} cannot write {1}.", "文件编码 {0} 无法表示 {1}。"
    VIOLATION = "The response does not have its form.", "响应格式不符合规范"

    CHOOSE = (
        "Call `select` with the number of a candidate, or `replace` with a longer text to look for.",
        "调用 `select` 并传入候选编号,或提供更精确的文本重新 `replace`。",
    )
    COMMIT_OR_DISCARD = (
        "Call `commit` to write the file, or `discard` to give the changes up.",
        "调用 `commit` 写回文件,或使用 `discard` 放弃修改。",
    )
    KEPT_IN_BUFFER = (
        "The result stands in the buffer alone and is not written to the file.",
        "结果仅存于缓存,不会写回文件。",
    )
    COMPARE_FIRST = (
        "Call `diff` to compare buffer and file, then `refresh` to take the file's text or `save-as` to keep both.",
        "建议先调用 `diff` 查看缓存与文件的差异,再考虑 `refresh` 或 `save-as`。",
    )
    DO_NOT_COMMIT = (
        "Do not overwrite the file before that.",
        "避免直接覆盖文件。",
    )
    WAIT = "Wait until the file has been read.", "请等待刷新完成。"
    READ_LOG = "The log of the session tells more: `log`.", "详情见会话日志:`log`。"
    NEAREST = "The nearest passage, on line {0}, differs in {1}: {2}", "最接近的文本在第 {0} 行,差异:{1}:{2}"
    LOOK_AGAIN = "Copy the text to look for from the text as shown.", "请从显示的文本中复制要查找的内容。"
    MATCH_AGAIN = "Call `replace` again.", "请重新调用 `replace`。"


_DIFFERENCES = {"white space": "空白", "case": "大小写", "quotes": "引号", "text": "文字"}


def write(language: Language, what: Say, *values: object) -> str:
    """A sentence with values in it."""
    return what.value[language is Language.CHINESE].format(*values)


def write_differences(language: Language, differs: tuple[str, ...]) -> str:
    """The names of differences."""
    names = [_DIFFERENCES[each] for each in differs] if language is Language.CHINESE else list(differs)
    return ("、" if language is Language.CHINESE else ", ").join(names)


def join(language: Language, sentences: list[str]) -> str | None:
    """Sentences in a row; None for none."""
    return ("" if language is Language.CHINESE else " ").join(sentences) or None
