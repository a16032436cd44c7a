"""Running a tool: functions are called, all else is simulated; arguments are checked by the schema."""

from toolsearch_core.execution.arguments import CheckedArguments, check_arguments
from toolsearch_core.execution.functions import FunctionExecutor, FunctionTool, function_tool
from toolsearch_core.execution.simulated import SimulatedExecutor

__all__ = [
    "CheckedArguments",
    "FunctionExecutor",
    "FunctionTool",
    "SimulatedExecutor",
    "check_arguments",
    "function_tool",
]
