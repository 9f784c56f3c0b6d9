// Completion for fish.

import {
  type CompletionCommand,
  type CompletionFlag,
  toPairs,
  toWords,
  valueForm,
} from "./completion_command.ts";

/** The script for fish. */
export function toFishScript(commands: readonly CompletionCommand[]): string {
  const { firsts, groups } = toWords(commands);
  const lines = [
    ...firsts.map(({ name, about }) => offer("", name, about)),
    ...groups.flatMap(({ name, verbs }) =>
      verbs.map(({ word, about }) => offer(name, word, about))
    ),
    ...commands.flatMap((command) => [
      ...command.flags.map((flag) => flagLine(command, flag)),
      ...command.values.map((value) => offer(command.name, value, "")),
      ...(command.offers ? [offer(command.name, fishOffers(command.offers), "")] : []),
    ]),
  ];
  const pairs = toPairs(commands);
  return `# fish completion for ctx, made by: ctx completions fish
# Use it with: ctx completions fish > ~/.config/fish/completions/ctx.fish
function __ctx_at --description 'Whether the words so far name this command'
    set -l words
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if test "$word" = --workspace
            set skip 1
        else if not string match -q -- '-*' $word
            set -a words $word
        end
    end
    set -l name "$words[1]"
    if contains -- "$words[1] $words[2]" ${pairs.map(quote).join(" ")}
        set name "$words[1] $words[2]"
    end
    test "$name" = "$argv[1]"
end
for name in ctx contextfs
    complete -c $name -e
${lines.map((line) => `    ${line}`).join("\n")}
end
`;
}

function offer(at: string, word: string, about: string): string {
  return `complete -c $name -f -n ${quote(`__ctx_at ${fishWord(at)}`)} -a ${quote(word)}${
    about === "" ? "" : ` -d ${quote(about)}`
  }`;
}

function flagLine(command: CompletionCommand, flag: CompletionFlag): string {
  const value = !flag.takesValue ? "" : valueForm(flag, {
    oneOf: (values) => ` -x -a ${quote(values)}`,
    offers: (of) => ` -x -a ${quote(fishOffers(of))}`,
    directories: " -x -a '(__fish_complete_directories)'",
    files: " -r -F",
    anything: " -x",
  });
  const letter = flag.letter ? ` -s ${flag.letter}` : "";
  return `complete -c $name -n ${
    quote(`__ctx_at ${fishWord(command.name)}`)
  } -l ${flag.name}${letter}${value} -d ${quote(flag.about)}`;
}

function fishOffers(of: string): string {
  return `(ctx completions --of ${of} --word (commandline -ct) 2>/dev/null)`;
}

function fishWord(text: string): string {
  return `"${text}"`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
