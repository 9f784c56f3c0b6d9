// The way by which SQLite (as WebAssembly) reads a DatabaseImage: its file system, in which a name is
// an image and nothing can be written, locked, deleted or created.

import type { Sqlite3Static, WasmPointer } from "@sqlite.org/sqlite-wasm";
import type { DatabaseImage } from "./database_image.ts";

/** The name to open databases with. */
export const imageVfsName = "image";

/** Loads SQLite and gives it a file system of images, by name. */
export async function loadSqlite(
  images: ReadonlyMap<string, DatabaseImage>,
): Promise<Sqlite3Static> {
  const [{ default: init }, { default: wasmBinary }] = await Promise.all([
    import("@sqlite.org/sqlite-wasm"),
    import("@sqlite.org/sqlite-wasm/sqlite3.wasm", { with: { type: "bytes" } }),
  ]);
  // Its types leave out what Emscripten's loader takes.
  const load = init as unknown as (options: { wasmBinary: Uint8Array }) => Promise<Sqlite3Static>;
  const sqlite = await load({ wasmBinary });
  // It would print what it cannot read, past the receipt; what it throws says the same.
  Object.assign(sqlite.config, { warn() {}, error() {} });
  installImages(sqlite, images);
  return sqlite;
}

function installImages(sqlite: Sqlite3Static, images: ReadonlyMap<string, DatabaseImage>): void {
  const { capi, wasm } = sqlite;
  const open = new Map<WasmPointer, DatabaseImage>();
  const io = new capi.sqlite3_io_methods();
  Object.assign(io, { $iVersion: 1 });
  const vfs = new capi.sqlite3_vfs();
  vfs.$iVersion = 1;
  vfs.$szOsFile = new capi.sqlite3_file().structInfo.sizeof;
  vfs.$mxPathname = 1024;
  vfs.$zName = wasm.allocCString(imageVfsName, false);
  const refuse = (): number => capi.SQLITE_READONLY;
  const accept = (): number => capi.SQLITE_OK;
  io.installMethods({
    xClose(file: WasmPointer): number {
      open.delete(file);
      return capi.SQLITE_OK;
    },
    xRead(file: WasmPointer, target: WasmPointer, length: number, offset: bigint): number {
      const into = wasm.heap8u().subarray(Number(target), Number(target) + length);
      try {
        const found = open.get(file)?.read(Number(offset), into) ?? 0;
        if (found === length) return capi.SQLITE_OK;
        into.fill(0, found);
        return capi.SQLITE_IOERR_SHORT_READ;
      } catch {
        return capi.SQLITE_IOERR_READ;
      }
    },
    xWrite: refuse,
    xTruncate: refuse,
    xSync: accept,
    xFileSize(file: WasmPointer, out: WasmPointer): number {
      new DataView(wasm.heap8u().buffer).setBigInt64(
        Number(out),
        BigInt(open.get(file)?.sizeBytes ?? 0),
        true,
      );
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
    xDeviceCharacteristics: (): number => capi.SQLITE_IOCAP_IMMUTABLE,
  });
  vfs.installMethods({
    xOpen(
      _vfs: WasmPointer,
      name: WasmPointer,
      file: WasmPointer,
      _flags: number,
      outFlags: WasmPointer,
    ): number {
      const image = images.get(name ? wasm.cstrToJs(name) ?? "" : "");
      if (image === undefined) return capi.SQLITE_CANTOPEN;
      open.set(file, image);
      new capi.sqlite3_file(file).$pMethods = io.pointer;
      wasm.poke32(outFlags, capi.SQLITE_OPEN_READONLY);
      return capi.SQLITE_OK;
    },
    xDelete: refuse,
    xAccess(_vfs: WasmPointer, _name: WasmPointer, _flags: number, out: WasmPointer): number {
      wasm.poke32(out, 0);
      return capi.SQLITE_OK;
    },
    xFullPathname(_vfs: WasmPointer, name: WasmPointer, length: number, out: WasmPointer): number {
      return wasm.cstrncpy(out, name, length) < length ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN;
    },
    xRandomness(_vfs: WasmPointer, length: number, out: WasmPointer): number {
      crypto.getRandomValues(wasm.heap8u().subarray(Number(out), Number(out) + length));
      return length;
    },
    xSleep: accept,
    xCurrentTime(_vfs: WasmPointer, out: WasmPointer): number {
      wasm.poke(out, 2440587.5 + Date.now() / 86_400_000, "double");
      return capi.SQLITE_OK;
    },
    xGetLastError: accept,
  });
  capi.sqlite3_vfs_register(vfs, 0);
}
