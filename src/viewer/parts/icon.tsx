// The icons of the page, from Lucide; only those named here get into its script.

import {
  BookOpenText,
  Copy,
  Download,
  Ellipsis,
  FileCode2,
  Folder,
  GitBranch,
  GitPullRequest,
  House,
  type IconNode,
  ListChecks,
  MessagesSquare,
  Search,
} from "lucide";
import { h, type JSX } from "preact";

const icons = {
  branch: GitBranch,
  context: BookOpenText,
  copy: Copy,
  folder: Folder,
  home: House,
  more: Ellipsis,
  pull_request: GitPullRequest,
  review: ListChecks,
  save: Download,
  search: Search,
  sessions: MessagesSquare,
  source: FileCode2,
} satisfies Record<string, IconNode>;

export type IconName = keyof typeof icons;

/** An icon beside words that say the same. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {icons[name].map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
