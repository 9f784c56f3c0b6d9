// Sessions: the list of all, or one to read.

import type { JSX } from "preact";
import { useRoute } from "../data/route.ts";
import { SessionList } from "../session/session_list.tsx";
import { SessionReader } from "../session/session_reader.tsx";

export function SessionsView(): JSX.Element {
  const session = useRoute().params.get("session");
  return session ? <SessionReader key={session} session={session} /> : <SessionList />;
}
