// Whether words that were noted as a decision or a wish tell something to a reader who was not there:
// bare assent ("yes, do that") and questions do not. Pure.

/** Whether something is left of it without words that only agree or point, and it asks nothing. */
export function isTelling({ type, text }: { type: string; text: string }): boolean {
  // Of a decision the first line is the user's; what follows is the option or the answer.
  const own = type === "decision" ? text.split("\n", 1)[0] : text;
  if (/\?[\s"'”’)*_`]*$/.test(own)) return false;
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’][\p{L}]+)?/gu) ?? [])
    .some((word) => !bare.has(word));
}

/** Words that agree, point or ask for it, and name no subject. */
const bare: ReadonlySet<string> = new Set(
  `yes yeah yep yup ok okay sure fine right correct exactly agreed agree great good perfect nice cool
  thanks thank you please sounds looks like lgtm go ahead do does it that this them those these all
  both so then and now the a an i we us let's lets let me with for to of on in is be as just also
  too well go going make makes sense proceed continue done 👍 ja nein gut genau mach das bitte`
    .split(/\s+/),
);
