// Whether a message rejects what was said or done before it. Pure.

/** How a prompt begins that rejects what the agent said or did, not only asks for more. */
export const rejection =
  /^\W*(?:(?:hmm+|wait|ok(?:ay)?|sorry|actually)\W+)?(?:no(?:pe)?(?:[.,!;:–—-]|\s+(?:that|this|it|you|i|don'?t|not|wait)\b|\s*$)|(?:that|this|it)(?:'?s| is| was)? (?:still )?(?:not (?:right|correct|true|what|how|it\b|working)|wrong|incorrect|broken|isn'?t (?:right|correct|what|working)|does(?:n'?t| not) work|did(?:n'?t| not) (?:work|help|fix))|(?:wrong|incorrect)\b|not (?:what|like that)|you(?:'re| are) wrong|(?:please )?(?:revert|undo|roll back) (?:that|this|it|your|the (?:last|change))|i (?:said|did(?:n'?t| not)) (?:no\b|not\b|ask|want|mean)|still (?:fails|failing|broken|wrong|not working|does(?:n'?t| not) work))/i;
