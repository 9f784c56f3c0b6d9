// An S3-compatible server for tests: fauxqs, in this process, on loopback, with one empty bucket. It
// keeps objects in memory, and takes any key.

import { startFauxqs } from "fauxqs";

/** A running server with an empty bucket. */
export interface S3Server extends AsyncDisposable {
  /** What a store needs in its environment. */
  variables: Record<string, string>;
  /** The address of a folder in the bucket. */
  url(folder: string): string;
}

/** Starts a server; it is stopped when it is disposed of. */
export async function startS3(): Promise<S3Server> {
  const server = await startFauxqs({
    port: 0,
    host: "127.0.0.1",
    logger: false,
    init: { region: "us-east-1", buckets: ["memory"] },
  });
  return {
    variables: { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" },
    url: (folder) => `s3://memory/${folder}?endpoint=http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
