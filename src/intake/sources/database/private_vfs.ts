// The file system in which SQLite (as WebAssembly) finds a database and its logs: files by name, of which
// nothing on disk can be written, locked, deleted or created.

import type { Sqlite3Static, WasmPointer } from "@sqlite.org/sqlite-wasm";
import { PrivateFile } from "./private_file.ts";

/** The name to open databases with. */
export const privateVfsName = "private";

export async function loadSqlite(files: Map<string, PrivateFile>): Promise<Sqlite3Static> {
  const [{ default: init }, { default: wasmBinary }] = await Promise.all([
    import("@sqlite.org/sqlite-wasm"),
    import("@sqlite.org/sqlite-wasm/sqlite3.wasm", { with: { type: "bytes" } }),
  ]);
  // Its types leave out what Emscripten's loader takes.
  const load = init as unknown as (options: { wasmBinary: Uint8Array }) => Promise<Sqlite3Static>;
  const sqlite = await load({ wasmBinary });
  // It would print what it cannot read, past the receipt; what it throws says the same.
  Object.assign(sqlite.config, { warn() {}, error() {} });
  installFiles(sqlite, files);
  return sqlite;
}

function installFiles(sqlite: Sqlite3Static, files: Map<string, PrivateFile>): void {
  const { capi, wasm } = sqlite;
  const open = new Map<WasmPointer, PrivateFile>();
  const nameAt = (name: WasmPointer): string => (name && wasm.cstrToJs(name)) || "";
  const bytesAt = (at: WasmPointer, length: number): Uint8Array =>
    wasm.heap8u().subarray(Number(at), Number(at) + length);
  const accept = (): number => capi.SQLITE_OK;
  const io = new capi.sqlite3_io_methods();
  Object.assign(io, { $iVersion: 1 });
  io.installMethods({
    xClose(file: WasmPointer): number {
      open.delete(file);
      return capi.SQLITE_OK;
    },
    xRead(file: WasmPointer, target: WasmPointer, length: number, offset: bigint): number {
      const into = bytesAt(target, length);
      try {
        const found = open.get(file)?.read(Number(offset), into) ?? 0;
        if (found === length) return capi.SQLITE_OK;
        into.fill(0, found);
        return capi.SQLITE_IOERR_SHORT_READ;
      } catch {
        return capi.SQLITE_IOERR_READ;
      }
    },
    xWrite(file: WasmPointer, source: WasmPointer, length: number, offset: bigint): number {
      open.get(file)?.write(Number(offset), bytesAt(source, length));
      return capi.SQLITE_OK;
    },
    xTruncate(file: WasmPointer, size: bigint): number {
      open.get(file)?.truncate(Number(size));
      return capi.SQLITE_OK;
    },
    xSync: accept,
    xFileSize(file: WasmPointer, out: WasmPointer): number {
      wasm.poke64(out, BigInt(open.get(file)?.size ?? 0));
      return capi.SQLITE_OK;
    },
    xLock: accept,
    xUnlock: accept,
    xCheckReservedLock(_file: WasmPointer, out: WasmPointer): number {
      wasm.poke32(out, 0);
      return capi.SQLITE_OK;
    },
    xFileControl: (): number => capi.SQLITE_NOTFOUND,
    xSectorSize: (): number => 4096,
    xDeviceCharacteristics: (): number => 0,
  });
  const vfs = new capi.sqlite3_vfs();
  vfs.$iVersion = 1;
  vfs.$szOsFile = new capi.sqlite3_file().structInfo.sizeof;
  vfs.$mxPathname = 1024;
  vfs.$zName = wasm.allocCString(privateVfsName, false);
  // The clock and the random numbers are those of any file system.
  const usual = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
  for (const name of ["$xRandomness", "$xSleep", "$xCurrentTime", "$xGetLastError"]) {
    Reflect.set(vfs, name, Reflect.get(usual, name));
  }
  vfs.installMethods({
    xOpen(
      _vfs: WasmPointer,
      name: WasmPointer,
      file: WasmPointer,
      flags: number,
      outFlags: WasmPointer,
    ): number {
      const key = nameAt(name);
      const found = files.get(key) ?? new PrivateFile();
      // A temporary file has no name: nobody else may find it.
      if (key !== "") files.set(key, found);
      open.set(file, found);
      new capi.sqlite3_file(file).$pMethods = io.pointer;
      wasm.poke32(outFlags, flags);
      return capi.SQLITE_OK;
    },
    xDelete(_vfs: WasmPointer, name: WasmPointer): number {
      files.get(nameAt(name))?.[Symbol.dispose]();
      files.delete(nameAt(name));
      return capi.SQLITE_OK;
    },
    xAccess(_vfs: WasmPointer, name: WasmPointer, _flags: number, out: WasmPointer): number {
      wasm.poke32(out, files.has(nameAt(name)) ? 1 : 0);
      return capi.SQLITE_OK;
    },
    xFullPathname(_vfs: WasmPointer, name: WasmPointer, length: number, out: WasmPointer): number {
      return wasm.cstrncpy(out, name, length) < length ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN;
    },
  });
  capi.sqlite3_vfs_register(vfs, 0);
}
