// A directory for what is unpacked while there is no store to unpack into. Others cannot read it, and
// nothing of it is left.

/** A directory of this user alone, removed with all that is in it when it goes out of scope. */
export class ScratchDirectory implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "ctx-import-" });

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}
