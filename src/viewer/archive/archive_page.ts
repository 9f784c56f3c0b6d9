// The script of an exported archive: where it begins. It is in the file that it shows; see
// `src/read/share/archive_html.ts`.

import { h, render } from "preact";
import { type ArchivedFacts, unpack } from "../../read/share/archived_session.ts";
import { ArchiveView } from "./archive_view.tsx";

/** What an archive says of itself. */
interface ArchiveList {
  title: string;
  sessions: ArchivedFacts[];
}

const packed = [...document.querySelectorAll("script.session")].map((one) => one.textContent);
const list = await unpack<ArchiveList>(document.getElementById("list")?.textContent ?? "");
const page = document.getElementById("page");
page?.replaceChildren();
if (page) render(h(ArchiveView, { ...list, packed }), page);
