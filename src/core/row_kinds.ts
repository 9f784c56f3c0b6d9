// The kinds that rows of the store's files may have: the schemas of `formats/` are made of them, and
// readers that load no schema check with them.

/** What was done. `restore` is a forget that was taken back, `erase` cannot be. */
export const actKinds = [
  ...["save", "pin", "unpin", "forget", "restore", "title", "erase", "config"] as const,
  ...["share", "unshare", "handoff"] as const,
] as const;

/** What a trial can end with. */
export const trialVerdicts = ["helps", "hurts", "none"] as const;

/** What happens when a check says no: it is only noted, the user is asked, or it does not happen. */
export const guardModes = ["shadow", "ask", "deny"] as const;

export const suggestionTypes = ["decision", "change", "doc", "related_code", "warning"] as const;

/** What suggestions are made for: a file, a symbol, what is going on, or a time that came. */
export const triggerTypes = ["file", "symbol", "activity", "time"] as const;

export const patternTypes = ["file", "symbol", "topic", "entity"] as const;

/** How a subscription is delivered. */
export const deliveryWays = ["poll", "sse", "webhook"] as const;
