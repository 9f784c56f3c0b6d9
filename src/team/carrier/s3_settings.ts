// Where a bucket is and with whose keys it is opened: from the environment and the user's own files, as
// the tools of the service do it. The address has no secret.

import { homeOf } from "../../core/platform_path.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import { CtxError } from "../../core/errors.ts";
import { decodePercent } from "../../core/utf8.ts";

/** How to reach a bucket. */
export interface S3Settings {
  /** The URL of the service. */
  endpoint: string;
  bucket: string;
  /** What all names begin with; empty, or without a slash at either end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** Whether the bucket's name stands in the path rather than before the host. */
  isPathStyle: boolean;
}

type Environment = (name: string) => string | undefined;

const settings = ["endpoint", "region", "profile"];

/** Reads an address `s3://BUCKET/DIR?endpoint=URL&region=NAME&profile=NAME`. */
export function readS3Settings(url: string, env: Environment): S3Settings {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === "") throw invalid("it names no bucket");
  if (parsed.username !== "" || parsed.password !== "") throw invalid("it contains a key");
  const prefix = decodePercent(parsed.pathname).replace(/^\/+|\/+$/g, "");
  if (/%(?![0-9a-f]{2})/i.test(parsed.pathname)) throw invalid("write a % as %25");
  if (prefix.split("/").some((part) => /^\.\.?$/.test(part))) {
    throw invalid("it has a . or .. in it");
  }
  const { searchParams } = parsed;
  for (const name of searchParams.keys()) {
    if (!settings.includes(name)) throw invalid(`it has an unknown setting "${name}"`);
  }
  const home = homeOf(env) ?? "";
  const profile = searchParams.get("profile") ?? env("AWS_PROFILE") ?? "default";
  const own = readProfile(findSmallText(env("AWS_CONFIG_FILE") ?? `${home}/.aws/config`), profile);
  const secrets = readProfile(
    findSmallText(env("AWS_SHARED_CREDENTIALS_FILE") ?? `${home}/.aws/credentials`),
    profile,
  );
  const isNamed = searchParams.has("profile");
  const find = (variable: string, key: string): string | undefined =>
    (isNamed ? undefined : env(variable)) ?? secrets[key] ?? own[key];
  const region = searchParams.get("region") ?? env("AWS_REGION") ?? env("AWS_DEFAULT_REGION") ??
    own.region ?? "us-east-1";
  if (!/^[\w-]+$/.test(region)) throw invalid("its region is no name of a region");
  const endpoint = searchParams.get("endpoint") ?? env("AWS_ENDPOINT_URL_S3") ??
    env("AWS_ENDPOINT_URL") ?? own.endpoint_url;
  const accessKeyId = find("AWS_ACCESS_KEY_ID", "aws_access_key_id");
  const secretAccessKey = find("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new CtxError(
      "REMOTE_DENIED",
      `Cannot open the bucket "${parsed.hostname}": no access key was found`,
      {
        hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or put them in ~/.aws/credentials",
      },
    );
  }
  const sessionToken = find("AWS_SESSION_TOKEN", "aws_session_token");
  return {
    endpoint: checkEndpoint(endpoint ?? `https://s3.${region}.amazonaws.com`),
    bucket: parsed.hostname,
    prefix,
    ...{ region, accessKeyId, secretAccessKey },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    isPathStyle: endpoint !== undefined,
  };
}

/** The values of a profile in a file of the form that AWS's tools read. */
export function readProfile(text: string | undefined, profile: string): Record<string, string> {
  const values: Record<string, string> = {};
  let isIn = false;
  for (const line of (text ?? "").split("\n")) {
    const section = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line);
    if (section !== null) isIn = section[1] === profile;
    const pair = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (isIn && pair !== null) values[pair[1]] = pair[2];
  }
  return values;
}

/** Keys sign each request, but what is in it could be read on the way. */
function checkEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? "");
  if (url !== null && url.username + url.password !== "") {
    throw invalid("the endpoint contains a user name or password");
  }
  if (url === null || url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
    throw invalid(`the endpoint "${endpoint}" is not an https:// URL`);
  }
  return endpoint.replace(/\/+$/, "");
}

function invalid(fault: string): CtxError {
  return new CtxError("CONFIG_INVALID", `Cannot use the address of the bucket: ${fault}`, {
    hint: "s3://BUCKET/DIR, or s3://BUCKET/DIR?endpoint=https://HOST for another service",
  });
}
