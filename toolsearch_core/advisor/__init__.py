"""The tool loop: disclose, ask the model, search, run tools, until there is an answer."""

from toolsearch_core.advisor.tool_calling import ToolCallingAdvisor
from toolsearch_core.advisor.tool_search import ToolSearchAdvisor, session_id_of
from toolsearch_core.options import AdvisorOptions

__all__ = ["AdvisorOptions", "ToolCallingAdvisor", "ToolSearchAdvisor", "session_id_of"]
