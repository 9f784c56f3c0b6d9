// The files that git tracks: folders that open, or those that were searched for.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { goTo, hrefOf } from "../data/route.ts";
import { useFound } from "../data/use_found.ts";
import { FindInput } from "../parts/find_input.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListStatus } from "../parts/list_pane.tsx";
import { sayFound } from "../parts/say_found.ts";

/** More matches are not listed. */
const maxFound = 200;

interface Folder {
  /** With a slash at its end; "" is the workspace. */
  path: string;
  folders: Map<string, Folder>;
  files: string[];
}

/** `current` is the path of the file or folder that is open. */
export function FileTree(
  { files, current }: { files: readonly string[]; current?: string },
): JSX.Element {
  const [typed, setTyped] = useState("");
  const root = useMemo(() => toFolder(files), [files]);
  const found = useFound(files, typed, (file) => file);
  return (
    <div class="file-tree">
      <FindInput label="Find a file" value={typed} onType={setTyped} />
      <ListStatus isAsking={found.isSearching}>
        {found.isAsked && sayFound(typed, { ...found, shown: Math.min(maxFound, found.total) })}
      </ListStatus>
      {typed.trim() === "" ? <FolderRows folder={root} current={current} /> : (
        <ul>
          {found.rows.slice(0, maxFound).map((file) => (
            <FileRow key={file} file={file} label={file} isOpen={file === current} />
          ))}
        </ul>
      )}
    </div>
  );
}

function FolderRows({ folder, current }: { folder: Folder; current?: string }): JSX.Element {
  return (
    <ul>
      {[...folder.folders.entries()].map(([name, inner]) => (
        <FolderRow key={inner.path} name={name} folder={inner} current={current} />
      ))}
      {folder.files.map((file) => (
        <FileRow
          key={file}
          file={file}
          label={file.slice(folder.path.length)}
          isOpen={file === current}
        />
      ))}
    </ul>
  );
}

function FolderRow(
  { name, folder, current }: { name: string; folder: Folder; current?: string },
): JSX.Element {
  const [flipped, setFlipped] = useState<boolean>();
  const isOpen = flipped ?? current?.startsWith(folder.path) ?? false;
  const isCurrent = current === folder.path;
  return (
    <li>
      <button
        type="button"
        class="quiet"
        data-row
        aria-expanded={isOpen}
        aria-current={isCurrent ? "true" : undefined}
        onClick={() => {
          // The first click shows it; one on what is shown already closes it.
          setFlipped(!(isOpen && isCurrent));
          if (!isCurrent) goTo(hrefOf("source", { folder: folder.path }));
        }}
      >
        <Icon name="folder" />
        {name}
      </button>
      {isOpen && <FolderRows folder={folder} current={current} />}
    </li>
  );
}

function FileRow(
  { file, label, isOpen }: { file: string; label: string; isOpen: boolean },
): JSX.Element {
  return (
    <li>
      <a
        data-row
        href={hrefOf("source", { path: file })}
        aria-current={isOpen ? "true" : undefined}
        title={file}
      >
        {label}
      </a>
    </li>
  );
}

function toFolder(files: readonly string[]): Folder {
  const root: Folder = { path: "", folders: new Map(), files: [] };
  for (const file of files) {
    let folder = root;
    for (const name of file.split("/").slice(0, -1)) {
      const known = folder.folders.get(name);
      const next = known ?? { path: `${folder.path}${name}/`, folders: new Map(), files: [] };
      if (known === undefined) folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(file);
  }
  return root;
}
