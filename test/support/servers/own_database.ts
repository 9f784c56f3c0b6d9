// A program with a SQLite database open, as an agent has: runs statements, says "ready", and ends in
// order when its standard input does. Killed, it leaves behind what SQLite leaves.

import { DatabaseSync } from "node:sqlite";

const [path, statements] = Deno.args;
const database = new DatabaseSync(path);
for (const sql of JSON.parse(statements)) database.exec(sql);
Deno.stdout.writeSync(new TextEncoder().encode("ready"));
Deno.stdin.readSync(new Uint8Array(1));
database.close();
