"""The annotations of several buckets become one."""
