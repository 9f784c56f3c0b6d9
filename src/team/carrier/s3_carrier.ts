// A bucket of an S3-compatible service. The client library signs the requests; the rest is HTTP.

import { CtxError } from "../../core/errors.ts";
import { decodeLossy, decodePercent } from "../../core/utf8.ts";
import { type FileCarrier, maxFileBytes, readBounded, tooLargeError } from "./file_carrier.ts";
import type { S3Settings } from "./s3_settings.ts";

/** A service that says nothing for so long is taken as gone. */
const silenceMs = 60_000;

/** A page is 1,000 names. */
const maxPages = 1000;

/** Opens a bucket, or what is below a prefix of it. */
export async function openS3(settings: S3Settings): Promise<FileCarrier> {
  const { AwsClient } = await import("aws4fetch");
  const { bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: "s3",
    retries: 3,
  });
  const place = `s3://${[bucket, prefix].filter((part) => part !== "").join("/")}`;
  const root = rootOf(settings);
  const below = (path: string): string => prefix === "" ? path : `${prefix}/${path}`;
  const send = async (
    method: string,
    name: string,
    { query = "", headers, body }: {
      query?: string;
      headers?: Record<string, string>;
      body?: Uint8Array;
    } = {},
  ): Promise<Response> => {
    const path = name.split("/").map(encodeURIComponent).join("/");
    try {
      return await client.fetch(`${root}/${path}${query}`, {
        method,
        headers,
        // To another host go neither rows nor the token of a session.
        redirect: "manual",
        body: body as BodyInit | undefined,
        signal: AbortSignal.timeout(silenceMs + (body?.length ?? 0) / 10),
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CtxError("REMOTE_UNREACHABLE", `Cannot reach ${place}: ${why}`, {
        hint:
          "nothing is lost: try again when the service is up; if it is up now, check the endpoint",
        cause,
      });
    }
  };
  /** The answer, if it has one of the statuses that are expected. */
  const expect = async (response: Response, ...statuses: number[]): Promise<Response> => {
    if (statuses.includes(response.status)) return response;
    throw refusal(response.status, await readText(response, "the answer"), place);
  };
  /** A length that is told is that of what is sent, which may be more when it is unpacked. */
  const readBody = async ({ body }: Response, path: string): Promise<Uint8Array> =>
    body === null ? new Uint8Array() : await readBounded(body, () => tooLargeError(path, place));
  const readText = async (response: Response, path: string): Promise<string> =>
    decodeLossy(await readBody(response, path));
  const put = async (path: string, bytes: Uint8Array, headers: Record<string, string>) =>
    await send("PUT", below(path), { headers, body: bytes });
  return {
    place,
    async list(folder, after) {
      const start = `${below(folder)}/`;
      const names: string[] = [];
      let token: string | undefined;
      let pages = 0;
      do {
        const query = new URLSearchParams({
          ...{ "list-type": "2", delimiter: "/", "encoding-type": "url", prefix: start },
          ...(after === undefined ? {} : { "start-after": start + after }),
          ...(token === undefined ? {} : { "continuation-token": token }),
        });
        const answer = await expect(await send("GET", "", { query: `?${query}` }), 200);
        const text = await readText(answer, folder);
        names.push(...readNames(text).map((name) => name.slice(start.length)));
        token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1];
        if (++pages === maxPages && token !== undefined) throw endlessError(folder, place);
      } while (token !== undefined && token !== "");
      return names.filter((name) => name !== "").sort();
    },
    async read(path) {
      const answer = await expect(await send("GET", below(path)), 200, 404);
      if (Number(answer.headers.get("content-length")) > maxFileBytes) {
        await answer.body?.cancel();
        throw tooLargeError(path, place);
      }
      const bytes = await readBody(answer, path);
      if (answer.status === 200) return bytes;
      // A bucket that is not there is no empty one.
      if (decodeLossy(bytes).includes("NoSuchBucket")) {
        throw refusal(404, "NoSuchBucket", place);
      }
      return undefined;
    },
    async create(path, bytes) {
      const there = await expect(await send("HEAD", below(path)), 200, 404);
      await there.body?.cancel();
      if (there.status === 200) return false;
      const answer = await put(path, bytes, { "if-none-match": "*" });
      // Services that do not know the condition say so; nobody else writes under this name.
      const last = answer.status === 501 || answer.status === 400
        ? (await answer.body?.cancel(), await put(path, bytes, {}))
        : answer;
      const { status } = await expect(last, 200, 412, 409);
      await last.body?.cancel();
      return status === 200;
    },
    async replace(path, bytes) {
      const answer = await expect(await put(path, bytes, {}), 200);
      await answer.body?.cancel();
    },
    async remove(path) {
      const answer = await expect(await send("DELETE", below(path)), 200, 204, 404);
      await answer.body?.cancel();
    },
    async [Symbol.asyncDispose]() {},
  };
}

function endlessError(folder: string, place: string): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot list "${folder}" in ${place}: the service lists more than ${
      (maxPages * 1000).toLocaleString("en")
    } files`,
    {
      hint:
        "remove files that are not ctx's from that folder; if it has few files, check the endpoint",
    },
  );
}

function rootOf({ endpoint, bucket, isPathStyle }: S3Settings): string {
  if (isPathStyle) return `${endpoint}/${bucket}`;
  return endpoint.replace("://", `://${bucket}.`);
}

/** Names and folders of a listing; in the form of URLs where the service does that, as it was asked to. */
function readNames(text: string): string[] {
  const isEncoded = text.includes("<EncodingType>url<");
  const found = text.matchAll(/<Key>([^<]*)<\/Key>|<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/g);
  return [...found].map(([, key, folder]) => {
    const name = key ?? folder;
    return isEncoded
      ? decodePercent(name.replaceAll("+", " "))
      : name.replace(/&(amp|lt|gt|quot|apos);/g, (whole, entity) => entities[entity] ?? whole);
  });
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function refusal(status: number, text: string, place: string): CtxError {
  const code = /<Code>([^<]*)</.exec(text)?.[1] ?? (/^\w+$/.test(text) ? text : `status ${status}`);
  if (status === 401 || status === 403) {
    return new CtxError("REMOTE_DENIED", `Cannot use ${place}: the service refused it (${code})`, {
      hint: "check the access key, its rights to list, read, write and delete, and the region",
    });
  }
  if (code === "NoSuchBucket") {
    return new CtxError("NOT_FOUND", `Cannot open ${place}: there is no such bucket`, {
      hint: "create the bucket first, or check its name, the endpoint and the region",
    });
  }
  return new CtxError("REMOTE_FAILED", `Cannot use ${place}: the service answered ${code}`, {
    hint: "try again; if that fails too, check the endpoint and the region",
  });
}
