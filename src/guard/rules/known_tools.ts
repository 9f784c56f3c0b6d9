// The programs and modules that people have rules about. Pure.

/** Programs that people have rules about; with them, what else starts them. */
export const tools: ReadonlyMap<string, string[]> = new Map([
  ...("npm npx mise turbo nx yarn pnpm bun pip pip3 pipenv poetry uv conda jest vitest mocha " +
    "pytest make cargo docker podman curl wget grep find sed tsc eslint prettier biome " +
    "webpack vite gulp gradle mvn brew apt python python3 python2 node deno ruby go kubectl " +
    "terraform rm sudo cd cat awk ssh scp psql mysql kill killall pkill chmod " +
    "docker-compose ts-node tsx nodemon bunx just cmake bundle composer").split(" ").map((
      one,
    ): [string, string[]] => [one, [one]]),
  ["npm", ["npm", "npx"]],
  ["pip", ["pip", "pip3"]],
]);

/** Programs for so many purposes that "instead of curl for …" is not about all of them. */
export const generalTools: ReadonlySet<string> = new Set(
  "curl wget grep find sed awk cat rm node python python3 ruby go deno bun docker make ssh sudo npx kill"
    .split(" "),
);

/** Modules that are meant by their name alone. */
export const knownModules: ReadonlySet<string> = new Set(
  "lodash moment axios requests jquery underscore request node-fetch bluebird enzyme redux mobx pandas numpy express styled-components unittest"
    .split(" "),
);

/** Whether words are a command, not a sentence about one. */
export function isCommand(words: string): boolean {
  return !/\b(?:commands?|scripts?|directly|files?|you|your|the|a|an|any|on|in|to|for|with|and|or|if|when|that|without|unless|outside)\b/i
    .test(words.replace(/\S*[/.-]\S*/g, ""));
}
