// Paths of both worlds: what Windows gives is turned into ctx's own form, and nothing else changes.

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  fromFileUrl,
  homeOf,
  isWholePath,
  normalizePath,
  parentOf,
  partBelow,
  resolvePath,
  splitPathList,
  toFileUrl,
  toOwnPath,
  toSystemPath,
  toWholePath,
} from "../../src/core/platform_path.ts";

/** Names that both systems take: spaces, quotes, %, unicode. */
const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) =>
    !/[\\/:*?"<>|\p{Cc};]/u.test(text) && text.trim() === text && !/^\.+$/.test(text)
  );
const names = fc.array(name, { maxLength: 5 });
const root = fc.constantFrom(
  "C:\\",
  "d:\\",
  "\\\\server\\share\\",
  "\\\\?\\C:\\",
  "\\\\?\\UNC\\server\\share\\",
);

Deno.test("a path of Windows keeps its parts, and its root is one of three", () => {
  fc.assert(fc.property(root, names, (start, parts) => {
    const own = toOwnPath(start + parts.join("\\"), "windows");
    assert.ok(!own.includes("\\") && isWholePath(own, "windows"), own);
    const top = /^(?:[A-Z]:\/|\/\/server\/share\/?)/.exec(own)?.[0] ?? "";
    assert.notEqual(top, "", own);
    assert.deepEqual(own.slice(top.length).split("/").filter(Boolean), parts);
    assert.equal(toOwnPath(own, "windows"), own, "it is stable");
  }));
});

Deno.test("a path of other systems is left as it is, backslashes too", () => {
  fc.assert(fc.property(fc.string(), (path) => assert.equal(toOwnPath(path, "linux"), path)));
});

Deno.test("going up ends at the root, after as many steps as there are parts", () => {
  fc.assert(fc.property(fc.constantFrom("C:/", "//server/share", "/"), names, (top, parts) => {
    const os = top === "/" ? "linux" : "windows";
    let at = [top.replace(/\/$/, ""), ...parts].join("/") || "/";
    if (parts.length === 0) at = top;
    for (const _ of parts) {
      assert.notEqual(parentOf(at, os), at);
      at = parentOf(at, os);
    }
    assert.equal(at, top);
    assert.equal(parentOf(at, os), at, "a root is above itself");
  }));
});

Deno.test("a path is made whole from a directory, and its root stays what it is", () => {
  fc.assert(fc.property(root, names, names, (start, parts, more) => {
    const from = toOwnPath(start + parts.join("\\"), "windows").replace(/\/$/, "");
    const said = ["x", "..", ".", ...more].join("\\");
    const made = normalizePath(resolvePath(said, from, "windows"), "windows");
    assert.equal(made, [from, ...more].join("/") + (/^[A-Z]:$/.test(from) && !more[0] ? "/" : ""));
    assert.equal(resolvePath(start + "a", "D:/b", "windows"), toOwnPath(start + "a", "windows"));
  }));
  for (const path of ["C:/../..", "C:/", "C:"]) assert.equal(normalizePath(path, "windows"), "C:/");
  assert.equal(normalizePath("//a/../b/./c/", "linux"), "/b/c");
  assert.equal(resolvePath("a\\b", "/c", "linux"), "/c/a\\b");
});

Deno.test("a path comes back from its URL", () => {
  fc.assert(fc.property(root, names, (start, parts) => {
    const path = toOwnPath(start + ["x", ...parts].join("\\"), "windows");
    assert.equal(fromFileUrl(toFileUrl(path, "windows"), "windows"), path);
    assert.equal(
      fromFileUrl(toFileUrl(`/${parts.join("/")}`, "linux"), "linux"),
      `/${parts.join("/")}`,
    );
  }));
  assert.equal(toFileUrl("C:/a b", "windows"), "file:///C:/a%20b");
});

Deno.test("PATH is split where its system splits it", () => {
  fc.assert(fc.property(fc.array(fc.tuple(root, names), { minLength: 1 }), (entries) => {
    const paths = entries.map(([start, parts]) => start + parts.join("\\"));
    const list = paths.map((path, i) => i % 2 === 0 ? path : `"${path}"`).join(";");
    const known = paths.map((path) => toOwnPath(path, "windows").replace(/([^:/])\/+$/, "$1"));
    assert.deepEqual(splitPathList(list, "windows"), known);
  }));
  assert.deepEqual(splitPathList("/usr/bin/:/bin::/", "linux"), ["/usr/bin", "/bin", "/"]);
  assert.deepEqual(splitPathList(undefined, "linux"), []);
});

Deno.test("a file URL is a path again", () => {
  fc.assert(fc.property(names, (parts) => {
    const path = parts.map((part) => `/${part}`).join("");
    const url = `file://${parts.map((part) => `/${encodeURIComponent(part)}`).join("")}`;
    assert.equal(fromFileUrl(url, "linux"), path || "/");
    assert.equal(fromFileUrl(`file:///C:${url.slice(7)}`, "windows"), `C:${path || ""}`);
    assert.equal(
      fromFileUrl(`file://server/share${url.slice(7)}`, "windows"),
      `//server/share${path}`,
    );
  }));
});

Deno.test("the home is HOME, or what Windows calls it", () => {
  const env = { USERPROFILE: "C:\\Users\\Ada B" };
  const find = (name: string): string | undefined => Reflect.get(env, name);
  assert.equal(homeOf(find, "windows"), "C:/Users/Ada B");
  assert.equal(homeOf(() => "", "linux"), undefined);
});

Deno.test("all spellings of a Windows path become one path", () => {
  for (
    const said of ["c:\\Work\\p\\a.ts", "C:/Work/p/a.ts", "/c:/Work/p/a.ts", "C:\\Work/p\\a.ts"]
  ) {
    assert.equal(toOwnPath(said, "windows"), "C:/Work/p/a.ts");
    assert.equal(toWholePath(said), "C:/Work/p/a.ts");
  }
  for (const said of ["src\\a.ts", "c:a.ts", "", undefined]) {
    assert.equal(toWholePath(said), undefined);
  }
  assert.equal(toWholePath("/a\\b"), "/a\\b");
  assert.equal(partBelow("C:/work/P/a.ts", "C:/Work/p"), "a.ts");
  assert.equal(partBelow("C:/Work/p2/a.ts", "C:/Work/p"), undefined);
  assert.equal(partBelow("/Work/p/a.ts", "/work/p"), undefined);
  assert.equal(partBelow("/work/p/a.ts", "/work/p"), "a.ts");
  assert.equal(toSystemPath("C:/Work/p", "windows"), "C:\\Work\\p");
  assert.equal(toSystemPath("/work/p", "windows"), "/work/p");
  assert.equal(toSystemPath("/a\\b", "linux"), "/a\\b");
});
