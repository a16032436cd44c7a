"""The tool loop: disclose, ask the model, search, run tools, until there is an answer."""

from toolsearch_core.advisor.loop import ToolSearchAdvisor
from toolsearch_core.advisor.parts import Question
from toolsearch_core.options import AdvisorOptions

__all__ = ["AdvisorOptions", "Question", "ToolSearchAdvisor"]
