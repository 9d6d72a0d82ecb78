"""The hunt: hard data for every convex machine, judged by the kernel of trust."""
