// Whether a message rejects what was said or done before it. Pure.

/** Whether a prompt rejects what the agent said or did, not only asks for more or answers its offer. */
export function isRejection(prompt: string, said = ""): boolean {
  return rejection.test(offer.test(said) ? prompt.replace(/^\W*no(?:pe)?\b\W*/i, "") : prompt);
}

const rejection =
  /^\W*(?:(?:hmm+|wait|ok(?:ay)?|sorry|actually)\W+)?(?:no(?:pe)?(?!\W+(?:(?:that|this|it|we|i)(?:'?s| is|'?ll be| will be|'?re| are|'?m| am) )?(?:(?:all|it|enough)(?=\W*$|[.,!;]| for now| thank)|(?:all )?(?:good|fine|okay|ok|great|perfect|done|set)\b|nothing (?:else|more)|thank))(?:[.,!;:–—-]|\s+(?:that|this|it|you|i|don'?t|not|wait)\b|\s*$)|(?:that|this|it)(?:'?s| is| was)? (?:still )?(?:not (?:right|correct|true|what|how|it\b|working)|wrong|incorrect|broken|isn'?t (?:right|correct|what|working)|does(?:n'?t| not) work|did(?:n'?t| not) (?:work|help|fix))|(?:wrong|incorrect)(?=\W*$|[.,!;:–—-]| again)|not (?:what|like that)|you(?:'re| are) wrong|(?:please )?(?:revert|undo|roll back) (?:that|this|it|your|the (?:last|change))|i (?:said|did(?:n'?t| not)) (?:no\b|not\b|ask|want|mean)|still (?:fails|failing|broken|wrong|not working|does(?:n'?t| not) work))/i;

/** How a turn ends that offers more: a "no" to that leaves what was said. */
const offer =
  /\b(?:(?:any|some)thing (?:else|more)|what else|(?:shall|should) (?:i|we)|want me to|would you like|do you (?:want|need))\b[^?.!]*\?\W*$/i;
