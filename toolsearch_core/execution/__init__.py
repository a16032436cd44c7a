"""Running a tool: arguments are checked by its schema, results are simulated."""

from toolsearch_core.execution.arguments import CheckedArguments, check_arguments
from toolsearch_core.execution.simulated import SimulatedExecutor

__all__ = ["CheckedArguments", "SimulatedExecutor", "check_arguments"]
