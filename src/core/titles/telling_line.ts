// Finds the line of a request that says what it is about. Words that fit any task are ignored; a line
// names a subject if enough words remain. "Fix this", "review the branch" and "thanks" do not. Pure.

import { toLine } from "../text.ts";

/** So many words name a subject. */
export const enoughWords = 3;

/** A line to call something by. */
export interface TellingLine {
  text: string;
  /** How many different words of it name a subject. */
  words: number;
}

/** The first line that names a subject, from the sentence on that does; else what comes nearest to it. */
export function findTellingLine(text: string, maxChars: number): TellingLine | undefined {
  let best: TellingLine | undefined;
  for (const line of text.slice(0, maxLookedChars).split("\n")) {
    const sentences = line.replace(/^[\s#>*•–-]+(?=\S)|^\s*\d+[.)]\s+/, "").split(sentenceEnd);
    const counts = sentences.map(countWords);
    const words = Math.max(...counts);
    if (words <= (best?.words ?? 0)) continue;
    const at = counts.findIndex((count) => count >= Math.min(words, enoughWords));
    const said = withoutAsking(sentences.slice(at).join(" ").trim());
    best = { text: toLine(said, maxChars), words };
    if (words >= enoughWords) return best;
  }
  // A few short lines say together what none says alone.
  if (best === undefined || text.length > maxChars) return best;
  return { text: withoutAsking(toLine(text, maxChars)), words: best.words };
}

const maxLookedChars = 4000;
const sentenceEnd = /(?<=[.!?]["')]?)\s+(?=\S)/;

/** `Can you please check …` asks for `check …`. */
function withoutAsking(sentence: string): string {
  const rest = sentence.replace(asking, "");
  return rest === sentence || rest === "" ? rest : rest.charAt(0).toUpperCase() + rest.slice(1);
}

const asking =
  /^(?:(?:given|since|because|now that|as) [^.?!]{1,80}?,? (?=(?:can|could|would) (?:you|we)|i(?:'d| would) like|let'?s|please))?(?:(?:(?:ok(?:ay)?|yes|yeah|yep|no|hmm+|so|now|well|alright|right|great|thanks|also|and|then|btw|actually)\s*[,.!:;–-]+|ok(?:ay)?|hi|hey|hello|please)[\s,.!]+)*(?:(?:can|could|would|will) (?:you|we|u)(?: please| also| help me(?: to)?| have a| do a)?\s+|i(?:'d| would)? (?:like|want|need)(?: you)? to\s+|(?:i think )?(?:we|you) (?:should|need to|have to|must)\s+|let'?s\s+|please\s+)*/i;

/** How many different words of a text name a subject. */
export function countWords(text: string): number {
  const names = new Set<string>();
  const said = text.slice(0, maxLookedChars).replace(/\bhttps?:\/\/\S+/g, " ");
  for (
    const [word] of said.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_'’.-]*/gu)
  ) {
    if (unspaced.test(word)) {
      for (let at = 0; at < word.length; at += 2) names.add(word.slice(at, at + 2));
      continue;
    }
    const bare = word.toLowerCase().replace(/[.'’-]+$/, "");
    if (bare.length > 1 && !/^\d+$/.test(bare) && !common.has(bare) && !common.has(toStem(bare))) {
      names.add(bare);
    }
  }
  return names.size;
}

/** Scripts without spaces between words: two characters are about one. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

function toStem(word: string): string {
  return word.replace(/(?:'s|’s|ing|ed|es|s)$/, "");
}

/** Words of any language of work: articles, pronouns, talk, and what is done to any code. */
const common: ReadonlySet<string> = new Set(
  `a an the this that these those it its i me my we us our you your he she they them their there here
  is are was were be been being am do does did done don't doesn't didn't have has had can can't could
  would should shall will won't may might must not no nor or and but if so than then as at by for from in
  into of off on onto out over to up with without about after again against all also any because before
  both each either else every few how just like more most much now once one only other own same some
  still such too under until very via what when where which while who why yet yes ok okay sure please
  thank thanks hi hello hey hmm great good nice cool perfect lgtm right well let let's lets i'm i'd i've
  it's that's we're you're want need try get got go going give take look see show tell know think guess
  feel say make put use keep start stop continue proceed help work working way thing stuff something
  anything everything bit lot new old next last first second two three first here's what's there's
  fix bug issue problem error fail failing failed failure test check review debug change update implement
  plan task code branch commit push pull pr prs mr merge rebase conflict main master repo repository project
  file line run build add remove create write read edit question answer comment feedback suggestion
  option idea thought correct wrong proper properly current currently recent latest double address
  resolve ready finish complete following explain understand figure agent multiple different aspect
  happen seem already really maybe instead able feature request version sub initial
  der die das den dem des ein eine einen einem einer ich du er sie es wir ihr mich mir dich dir uns euch
  mein meine dein deine unser unsere ist sind war waren sein bin bist wird werden wurde hat habe haben hast
  kann kannst können soll sollte muss müssen möchte will mach mache machen bitte danke ja nein nicht kein
  keine und oder aber wenn dann als auch noch schon mal nur so wie was wer wo wann warum wieder hier da dort
  zu zum zur mit ohne von vom bei beim für auf aus an am im um nach über unter vor weiter hallo guten morgen
  tag gut alles etwas nochmal jetzt gerade mehr sehr schau schauen sieh gib zeig fehler prüfe ändere
  le la les un une des du de et ou est sont je tu il elle nous vous me te se ce cette ces mon ma mes ton ta
  tes son sa ses pas ne que qui quoi où pour par avec sans dans sur bonjour salut merci oui non peux peut
  faire fait plaît bien encore aussi très voici voilà`.split(/\s+/),
);
