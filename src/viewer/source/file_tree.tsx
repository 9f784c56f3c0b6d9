// The files that git tracks: folders that open, or those whose path has the typed words.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { goTo, hrefOf } from "../data/route.ts";
import { FindInput } from "../parts/find_input.tsx";
import { Icon } from "../parts/icon.tsx";

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
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = words.length === 0
    ? undefined
    : files.filter((file) => words.every((word) => file.toLowerCase().includes(word)));
  return (
    <div class="file-tree">
      <FindInput label="Find a file" value={typed} onType={setTyped} />
      {found
        ? (
          <ul>
            {found.slice(0, maxFound).map((file) => (
              <FileRow key={file} file={file} label={file} isOpen={file === current} />
            ))}
            {found.length === 0 && <li class="facts">No file has that in its path.</li>}
          </ul>
        )
        : <FolderRows folder={root} current={current} />}
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
