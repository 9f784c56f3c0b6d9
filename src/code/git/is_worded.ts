// Which files are read for what they say. Data and generated files are about nothing, and files of
// keys are nobody's to keep. Pure.

const dataEnding =
  /\.(json|jsonl|ndjson|jsonc?\.snap|snap|lock|csv|tsv|txt|log|svg|map|sum|min\.\w+|pb|wat)$/i;

const secretFile =
  /(?:^|\/)(?:\.env[^/]*|\.netrc|\.npmrc|id_[a-z0-9]+|[^/]*\.(?:pem|key|p12|pfx))$/i;

/** Whether the text of a file says what the file is about. */
export function isWorded(path: string): boolean {
  return !dataEnding.test(path) && !secretFile.test(path);
}
