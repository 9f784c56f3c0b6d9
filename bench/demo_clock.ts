// A clock that stands still, for the demo: the output is compared with the README.

const now = Date.parse("2026-11-06T09:00:00.000Z");
Date.now = () => now;
