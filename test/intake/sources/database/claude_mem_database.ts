// A database as claude-mem 13 writes it: sessions, prompts, observations and summaries.

import { DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";
import { forbidden, plantedSecret } from "../conformance.ts";

/** Two sessions, of which one is another project's. */
export function makeClaudeMemDatabase(path: string, project = "app"): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  using database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
      memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT, user_prompt TEXT,
      started_at TEXT, started_at_epoch INTEGER NOT NULL, completed_at TEXT, status TEXT,
      custom_title TEXT);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER,
      content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL,
      created_at TEXT, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
      project TEXT, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT,
      narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
      created_at TEXT, created_at_epoch INTEGER NOT NULL, content_hash TEXT);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT,
      project TEXT, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
      files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT,
      created_at_epoch INTEGER NOT NULL);
    INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, user_prompt,
        started_at_epoch)
      VALUES ('c-1', 'm-1', '${project}', '${forbidden}', 1780000000000),
        ('c-2', 'm-2', 'elsewhere', NULL, 1780000000000);
    INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at_epoch)
      VALUES ('c-1', 1, 'Why do sessions end early? ${plantedSecret}', 1780000001000);
    INSERT INTO observations (memory_session_id, text, type, title, facts, narrative, files_modified,
        files_read, created_at_epoch, content_hash)
      VALUES ('m-1', NULL, 'bugfix', 'Clock skew ended sessions', '["The limit was 30 s"]',
        'Tokens were compared with the local clock.', '["src/auth.ts"]', '[]', 1780000002000,
        '${forbidden}');
    INSERT INTO session_summaries (memory_session_id, request, learned, next_steps, created_at_epoch)
      VALUES ('m-1', 'Find why sessions end', 'Clocks differ by minutes', NULL, 1780000003000);
    INSERT INTO observations (memory_session_id, text, type, created_at_epoch)
      VALUES ('m-2', 'Another project', 'discovery', 1780000002000);
  `);
}

/** Another prompt. */
export function growClaudeMemDatabase(path: string): number {
  using database = new DatabaseSync(path);
  database.exec(`INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text,
    created_at_epoch) VALUES ('c-1', 2, 'Thanks.', 1780000009000)`);
  return 1;
}
