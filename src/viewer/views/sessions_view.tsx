// Sessions: the list of all, one to read, or its edits step by step.

import type { JSX } from "preact";
import { useRoute } from "../data/route.ts";
import { SessionList } from "../session/session_list.tsx";
import { SessionReader } from "../session/session_reader.tsx";
import { SessionReplay } from "../session/session_replay.tsx";

export function SessionsView(): JSX.Element {
  const { params } = useRoute();
  const session = params.get("session");
  const step = params.get("replay");
  if (!session) return <SessionList />;
  if (step) return <SessionReplay key={session} session={session} at={Number(step)} />;
  return <SessionReader key={session} session={session} />;
}
