// What a user demands: the one definition of it. A demand is told by its words. One that lasts is a
// rule: it is said to hold beyond the task at hand, and it is said to the agent or of the project, not
// of what happened. Those are few, and precision counts more than finding them all. Pure.

import { toSentences } from "../../core/rows/blocks.ts";
import { typedWords } from "../../core/voice/spans_of.ts";
import { firstLine, toLine } from "../../core/text.ts";
import { keyWords } from "./key_words.ts";
import type { SameLines } from "./supersede.ts";

export type RuleKind = "instruction" | "correction" | "preference";

/** A demand that lasts, in the words of who made it. */
export interface LastingDemand {
  text: string;
  kind: RuleKind;
  /** How surely it lasts: 0 when only being said again shows it. */
  weight: number;
}

/** Words that a demand may be said to last with; `findLasting` is stricter. */
export const lastingWords =
  /\b(?:always|never|from now on|in (?:the )?future|every time|whenever|remember|rule|convention|by default|prefer|explicitly)\b/i;
export const demandWords =
  /\b(?:always|never|from now on|every time|whenever|make sure|remember (?:that|to)|don'?t (?:ever|use|add|do|write|touch|change|commit|create|want|need|include|make|put|run|mock|skip)|do not|must(?: not|n't)?|should(?: not|n't)|prefer|i(?:'d| would) (?:rather|love|prefer|like)|we (?:explicitly )?(?:don'?t|do) want|i (?:really |also )?want|stop \w+ing|avoid|no need (?:to|for)|it needs to|needs to be|keep (?:it|the|this)|only (?:use|do|when|if))\b/i;
/** How a prompt begins that corrects what the agent did. */
export const correction =
  /^\W*(?:no\b|nope|actually|wait|stop|that'?s (?:not|wrong)|this is (?:not|wrong)|not (?:what|like|that)|wrong|hmm|but\b|instead|you (?:should|forgot|missed|didn'?t|don'?t|need to|are wrong)|why (?:did|are|is|do) (?:you|it|this)|i (?:meant|said|don'?t think))/i;

/** The demands of a prompt that last; none of one that was pasted, or written as a program's role. */
export function findLasting(prompt: string): LastingDemand[] {
  const own = typedWords({ role: "user", text: prompt });
  if (isDocument(own)) return [];
  const sentences = joinQuoted(toSentences(own));
  const isCorrecting = correction.test(own);
  return sentences.flatMap((sentence, i) => {
    const isKept = recordsThis.test(sentences[i + 1] ?? "") && isOrder(sentence);
    const found = judge(sentence) ?? (isKept ? { kind: "instruction" as const, weight: 2 } : null);
    if (found === null) return [];
    const kind = isCorrecting && found.kind === "instruction" ? "correction" : found.kind;
    return [{ text: toRuleText(sentence), kind, weight: found.weight }];
  });
}

/** Whether a record says nothing beside some lines: they are all of it, its first line, or all its demands. */
export function saysOnly(
  { type, text }: { type: string; text: string },
  lines: Pick<SameLines, "has">,
): boolean {
  if (lines.has(toLine(text, maxRuleChars)) || lines.has(firstLine(text, maxRuleChars))) {
    return true;
  }
  const demands = type === "preference" ? findLasting(text) : [];
  return demands.length > 0 && demands.every((demand) => lines.has(demand.text));
}

/** A question that is quoted in a sentence does not end it. */
function joinQuoted(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    if (last !== undefined && /["'”]$/.test(last) && /^[a-z,]/.test(sentence)) {
      joined[joined.length - 1] = `${last} ${sentence}`;
    } else joined.push(sentence);
  }
  return joined;
}

/** Longer prompts are tasks, and so are those with many points in bold; others speak to a role. */
function isDocument(own: string): boolean {
  return own.length > maxPromptChars ||
    (own.match(/^\W{0,6}\*\*[^*\n]{2,80}\*\*/gm)?.length ?? 0) >= 3 ||
    /^\W*you are (?:an?|the|now)\b/i.test(own);
}

const maxPromptChars = 2000;
const maxRuleChars = 300;

/** A sentence without the marks of its list. */
function toRuleText(sentence: string): string {
  return sentence.replace(/^(?:[-*+•]|\d+[.)])\s+/, "").trim();
}

function judge(sentence: string): { kind: RuleKind; weight: number } | null {
  const text = toRuleText(sentence);
  if (text.length > maxRuleChars || keyWords(text).size < 1) return null;
  const said = toBare(text);
  if (
    asks.test(said) &&
    !/^(?:can|could|would|will) you (?:please )?(?:always|never|stop)\b/.test(said)
  ) {
    return null;
  }
  if (
    tells.test(said) || makes.test(said) || recordsThis.test(said) ||
    (recordsRule.test(said) && !requires.test(said))
  ) return null;
  const found = patterns.find(({ pattern }) => pattern.test(said));
  if (found === undefined || forNow.test(said)) return null;
  // Said again, that is how somebody begins, not what they want for good.
  if (found.weight === 0 && holdsBack.test(said)) return null;
  return { kind: found.kind, weight: found.weight };
}

/** What holds for the task at hand only. */
const forNow =
  /\byet\b|\b(?:for|right|just) now\b|\b(?:this time|at (?:this|the) (?:moment|point|time)|currently|for (?:this|the) (?:task|change|pr|step|one|session|deployment|commit)|today|tonight|until (?:i|we|you))\b/;
/** What keeps an agent from beginning: it is to think, plan or look first. */
const holdsBack =
  /\b(?:don'?t|do not) (?:\w+ )?(?:writ|mak|chang|edit|implement|cod|do|touch|start|modify|fix|execut|creat|commit|push|updat|run|delet|remov|add)\w*(?: (?:any|the|a|this|that|it|anything|more|new|actual|or|run|code|changes?|edits?|files?|commands?|implementation))*\W*$/;

/** What is said without what is only quoted or named in it, in small letters. */
function toBare(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/["“][^"“”\n]*["”]/g, "x").replace(/`[^`\n]*`/g, "x")
    .toLowerCase().replace(filler, "").replace(
      /[\s,]*\b(?:ok(?:ay)?|right|understood|got it)\?+\s*$/,
      "",
    );
}

const filler =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|also|and|but|so|then|hey|hi|hmm|wait|actually|btw|well|right|great|thanks|good|perfect|cool|again|lastly|finally|first|oh|ah|um)\b[\s,.!:;-]*)+/;

/** Questions, also without their mark. */
const asks =
  /\?\W*$|^(?:why|what|how|where|who|which|when (?:did|does|do|is|are|was)|is|are|was|were|does|did|do (?:you|we|i)|can (?:i|we|you)|could (?:i|we|you)|should (?:i|we)|have you|has)\b/;
const tells =
  /^(?:for example|e\.g\.|i (?:think|thought|see|saw|feel|guess|noticed|wonder)|it (?:seems|looks)|looks like|seems|error\b|warning\b|you (?:keep|kept|always|never)\b|it (?:always|never)\b)|\b(?:seems?|appears?|tends?|used|supposed) to (?:always|never)\b|\bfrom now on,? i(?:'m| am|'ll| will)\b|\b(?:such|these|this|that) (?:\w+ )?(?:mistakes?|errors?|things?|bugs?)\b|\b(?:possibly|perhaps|maybe|might|probably)\b|\bshould never (?:have|happen|occur|be (?:reached|here|null|empty))\b/;

/** What agents do, so that "always" and "never" speak of their work and not of what a program shows. */
const verb = String
  .raw`(?:only |just |first |explicitly |ever )?(?:add|answer|append|apply|ask|assume|avoid|be|branch|build|bypass|call|change|check|commit|compile|confirm|copy|create|debug|declare|define|delete|deploy|do|document|duplicate|edit|ensure|explain|export|extract|fetch|follow|force|format|generate|get|give|go|group|guess|handle|hard-?code|ignore|implement|import|include|install|invent|keep|leave|let|link|lint|log|look|make|memoize|mention|merge|mix|mock|modify|move|name|nest|note|omit|open|overwrite|pass|pin|place|plan|prefer|propose|push|put|quote|read|rebase|refactor|reference|rely|remove|rename|reply|respond|restart|reuse|revert|rewrite|run|save|search|skip|split|squash|start|state|stop|store|suggest|support|swallow|tell|test|think|touch|treat|try|type|update|use|validate|verify|wait|work|wrap|write|x|your)\b`;
/** Where an order to an agent begins: a sentence, or what follows its condition or its first half. */
const head = String
  .raw`(?:^|^(?:when|whenever|if|for|before|after|in|with|on|unless)\b[^,]*,\s*|^(?:please )?(?:use|prefer|run|keep|do|go)\b[^,;]*[,;]\s*(?:but |and )?|^[^,]{0,40};\s*|\b(?:you|we|agents?) (?:should|must|need to|have to|are to)\s+|\b(?:make sure|be sure|remember|want you|need you|ask you)(?: that)? (?:to|you|we)\s+)(?:please )?`;
/** Things that agents do, and users want otherwise. */
const doing =
  "ask|add|us|creat|mak|do|writ|runn|guess|assum|committ|push|chang|edit|touch|delet|remov|repeat|tell|say|apologiz|apologis|summariz|summaris|explain|hallucinat|invent|mock|ignor|skipp|generat|giv|try|duplicat|overengineer|hardcod|refactor|sugges|start|open|install";
const norm = String
  .raw`\b(?:don'?t|do not|never|always|please|make sure|ensure|only|(?:you|we) (?:should|must|need|have to|can|will|want)|i(?:'d| would)? (?:want|like|prefer)|let me|use|ask|tell|run|add|keep|write|check|avoid|stop|follow|put|start|try|commit|push|show|read|update|test|be)\b`;

/** That what was said before is to be written down as a rule. */
const recordsRule =
  /\b(?:record|document|save|store|add|write|put|note|remember) (?:this|it|these|them)\b(?: \w+){0,2} (?:as|in|into|to|under|for)\b.{0,40}\b(?:rules?|preferences?|conventions?|guidelines?|claude\.md|agents\.md|memory|\.cursorrules)\b|\b(?:make|add|create|write|update|improve|edit|modify|have) (?:an?|the|another|this|that|these|your|our|my|whichever|existing)\b.{0,30}\b(?:rules?|guidelines?|claude\.md|agents\.md)\b/i;
/** The same, where it is said that the words before it are meant. */
const recordsThis =
  /\b(?:record|document|save|store|add|write|put|note)(?:ing)? (?:this|it|these|them)\b(?: \w+){0,2} (?:as|in|into|to|under) (?:\w+ ){0,4}(?:rules?|preferences?|conventions?|guidelines?|claude\.md|agents\.md|memory|\.cursorrules)\b(?! (?:dir|folder|file))|\b(?:record|document|sav|add|not)ing this preference\b|\b(?:make|add|create|write) an? .{0,30}\brule\b.{0,40}\b(?:for|recording|about|of) (?:this|it|that|these)\b|\bremember (?:this|that|it)(?: for\b.*)?\W*$/i;
/** What is wanted once: a thing to be made. */
const makes =
  /^(?:please |let'?s |now )*(?:create|add|implement|build|write|fix|make|update|change|i want|we need) (?:an?|the|some|another|this|that|my|our|all)\b/;
/** Where a sentence orders something from its first word on. */
const order = String
  .raw`^(?:please |always |never |only )*(?:don'?t|do not|make sure|be sure|ensure|ask|tell|run|use|check|update|commit|push|add|keep|test|build|write|follow|put|show|read|avoid|stop|start|verify|confirm|include|format|name|document|explain|log|let me|give|wait|be|you (?:should|must|need to|have to|can)|we (?:should|must|need to|have to|want)|i(?:'d| would)? (?:want|need|expect|like) you to)\b`;
/** Occasions that come again and again. */
const occasion = String
  .raw`\b(?:(?:whenever|every time|each time|any ?time) (?:you|we)(?!'| (?:were|did|have|had|get)\b)|(?:before|after|with|on|in|for) (?:every|each|any) (?:commit|push|change|edit|pr|pull request|task|session|response|answer|reply|merge|release))\b`;
/** What a project's rules are about, where they are said of it and not to somebody. */
const requires =
  /\b(?:you|we|agents?|rules?|tasks?|tests?|commits?|code|files?|functions?|branch(?:es)?|prs?|docs?|comments?|migrations?|secrets?|imports?|\w+\.\w{1,4}) (?:\w+ ){0,2}(?:must|should|has to|have to|needs? to|shall) (?:always|never)\b/;

const patterns: { pattern: RegExp; kind: RuleKind; weight: number }[] = [
  // Said to last, and asking for something.
  {
    pattern: new RegExp(
      String
        .raw`(?:\b(?:from (?:now|here|this point|today) on(?:wards?)?|going forward|for future reference|as a (?:general )?rule(?! of)|by convention)\b|(?:^|[,;]\s*)next time\b(?!,? (?:i|we)\b)).*${norm}|${norm}.*\b(?:from (?:now|here|this point) on(?:wards?)?|going forward)\b|^in (?:the )?future,? (?:please|always|never|don'?t|do not|you|use|make sure|ask|only|i want)\b|${order}.*\b(?:in (?:the )?future|next time)\W*$`,
    ),
    kind: "instruction",
    weight: 3,
  },
  {
    pattern:
      /\bi (?:always|never|generally|usually) (?:want|like|use|prefer|need|expect)\b|\bi (?:really|strongly) (?:prefer|hate|dislike)\b|\b(?:i|we)(?:'d| would)? (?:\w+ )?(?:prefer|rather)\b.*\b(?:over|than|instead of)\b|\bmy preference\b|\bi (?:hate|dislike|do not like|don'?t like) (?:it )?when you\b/,
    kind: "preference",
    weight: 3,
  },
  // An order that knows no exception.
  {
    pattern: new RegExp(
      String
        .raw`${head}(?:always|never) ${verb}|^(?:please )?(?:use|prefer|run|write)\b[^,;]*[,;] ?(?:but )?never \w+|^(?:please )?(?:don'?t|do not) ever\b|^(?:please |we )?(?:don'?t|do not)\b.*\bever\b(?! since)|^(?!the|it|this|that|i\b)[^,]+, always\W*$|\bwe (?:always|never) ${verb}`,
    ),
    kind: "instruction",
    weight: 3,
  },
  {
    pattern: new RegExp(String.raw`${order}.*${occasion}|^${occasion}[^,]*, ?(?!i\b|it\b|the\b)`),
    kind: "instruction",
    weight: 3,
  },
  { pattern: new RegExp(String.raw`${head}stop (?:${doing})ing\b`), kind: "correction", weight: 2 },
  {
    pattern:
      /^(?:please )?remember,? (?:that )?(?:we|you|i)\b(?!'| (?:currently |just |already )?(?:are|am|were|was|have (?!to)|had|did|made|said|talked|discussed|spoke|changed|added|moved)\b)|\bwe (?:only |don'?t |do not )?(?:use|prefer|keep|write|follow|put|store|name)\b.*\b(?:here|in this (?:repo(?:sitory)?|project|code ?base))\W*$/,
    kind: "preference",
    weight: 2,
  },
  {
    pattern:
      /(?:^|[,;] ?)(?:please )?ask me (?:first )?before \w+ing\b|^(?:please )?keep (?:your |all |the )?(?:answers?|responses?|replies|explanations?|messages?|commits|commit messages) \w+|^(?:please )?only (?:commit|push|run|use|edit|change|merge|deploy)\b.*\b(?:when|if|after) (?:i|we)\b/,
    kind: "instruction",
    weight: 2,
  },
  // What must hold of the work itself.
  { pattern: requires, kind: "instruction", weight: 1.5 },
  // These may be for the moment: being said again, in another session, shows that they are not.
  {
    pattern: new RegExp(
      String
        .raw`${head}(?:don'?t|do not) \w+|^(?:please )?(?:use|prefer) .*\b(?:instead of|rather than|not|over)\b|\bi (?:told|asked) you\b|^(?:please )?remember to\b|\bi(?:'d| would)? (?:prefer|rather)\b|^(?:please )?be (?:more |very )?(?:concise|brief|short|terse)\b|^(?:please )?avoid\b`,
    ),
    kind: "instruction",
    weight: 0,
  },
];

/** Beginnings of sentences that are no orders. */
const statesFact =
  /^(?:the|an?|this|that|these|those|it|its|it's|if|there|i|they|he|she|some|all|each|because|since|my|you|x)\b/;

/** Whether a sentence tells somebody to do something: it states no fact and asks nothing. */
function isOrder(sentence: string): boolean {
  const said = toBare(toRuleText(sentence));
  return !asks.test(said) && !tells.test(said) && !recordsRule.test(said) &&
    keyWords(said).size >= 2 && !statesFact.test(said);
}
