"""`python -m toolsearch_core check | search | chat | settings`."""

import sys

from toolsearch_core.cli.main import main

sys.exit(main())
