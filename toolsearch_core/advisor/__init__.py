"""The tool loop: disclose, ask the model, search, run tools, until there is an answer."""

from toolsearch_core.advisor.loop import ToolSearchAdvisor
from toolsearch_core.advisor.options import AdvisorOptions
from toolsearch_core.advisor.search_tool import SEARCH_TOOL_NAME
from toolsearch_core.advisor.turn import Question

__all__ = ["SEARCH_TOOL_NAME", "AdvisorOptions", "Question", "ToolSearchAdvisor"]
