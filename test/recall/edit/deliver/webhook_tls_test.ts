// A webhook over TLS: the connection goes to the address that was checked, the certificate must
// still be for the name. As a process, with certificates made for the test.

import assert from "node:assert/strict";
import { isMissing } from "../../../support/processes/find_program.ts";
import { runProcess } from "../../../support/processes/run_ctx.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

Deno.test({
  name: "watch delivers over TLS to whoever has a certificate for the name, and to nobody else",
  ignore: isMissing("openssl"),
  async fn() {
    await using t = await tempStore();
    for (
      const [name, outcome] of [["hooks.invalid", /0 delivered/], ["localhost", /1 delivered/]]
    ) {
      const cert = `${t.workspace}/${name}.pem`;
      const key = `${t.workspace}/${name}.key`;
      const made = await runProcess([
        ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
        ...["-keyout", key, "-out", cert, "-subj", `/CN=${name}`],
        ...["-addext", `subjectAltName=DNS:${name}`],
      ], { cwd: t.workspace });
      assert.equal(made.code, 0, made.stderr);
      let posts = 0;
      const receiver = Deno.serve({
        hostname: "127.0.0.1",
        port: 0,
        cert: Deno.readTextFileSync(cert),
        key: Deno.readTextFileSync(key),
        onListen: () => {},
        onError: () => new Response(null, { status: 500 }),
      }, () => {
        posts++;
        return new Response("ok");
      });
      try {
        const url = `https://localhost:${receiver.addr.port}/`;
        const env = { CTX_WEBHOOK_SECRET: "s3cret", NODE_EXTRA_CA_CERTS: cert };
        const words = ["subscribe", "topic:passkeys", "--via", "webhook", "--url", url];
        const id = (await t.ctx(words, { env })).stdout.trim();
        await t.ctx(["watch", "--once"], { env });
        await t.ctx(["save", `Passkeys of ${name}`, "--type", "decision"], { env });
        const { stderr } = await t.ctx(["watch", "--once"], { env });
        assert.match(stderr, outcome as RegExp, `${name}: ${stderr}`);
        assert.equal(posts, name === "localhost" ? 1 : 0);
        await t.ctx(["unsubscribe", id], { env });
      } finally {
        await receiver.shutdown();
      }
    }
  },
});
