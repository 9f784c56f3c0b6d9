// The secrets that must never be written: rules modelled on the public rule sets of the secret
// scanners (provider prefixes with fixed alphabets, key blocks, URLs with passwords, assignments).
// Each rule has literal hints, so that a text without them costs one `includes` per rule.

/** One kind of secret. The first group is the secret; without a group it is the whole match. */
export interface RedactRule {
  name: string;
  hints: string[];
  pattern: RegExp;
  /** A last look at a candidate: false keeps it (placeholders, words, low entropy). */
  accept?: (secret: string, match: string) => boolean;
}

/** All rules, the most specific first. */
export const redactRules: readonly RedactRule[] = [
  {
    name: "private-key",
    hints: ["PRIVATE KEY"],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{40,20000})/g,
  },
  {
    name: "aws-access-key-id",
    hints: ["AKIA", "ASIA", "ABIA", "ACCA"],
    pattern: /(?<![A-Za-z0-9])((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})(?![A-Za-z0-9])/g,
  },
  {
    name: "aws-secret-access-key",
    hints: ["aws", "AWS", "Aws", "SecretAccessKey"],
    pattern:
      /(?:aws.{0,20}?secret.{0,20}?|SecretAccessKey["']?)\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    name: "anthropic-key",
    hints: ["sk-ant-"],
    pattern: /(?<![\w-])(sk-ant-[A-Za-z0-9_-]{20,200})/g,
  },
  {
    name: "openai-key",
    hints: ["sk-"],
    pattern:
      /(?<![\w-])(sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,200}|sk-[A-Za-z0-9]{20,64})(?![\w-])/g,
    accept: hasDigitAndLetter,
  },
  {
    name: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: /(?<![A-Za-z0-9_])(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{36,255})/g,
  },
  {
    name: "gitlab-token",
    hints: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
    pattern: /(?<![\w-])(gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_-]{20,100})/g,
  },
  {
    name: "slack-token",
    hints: ["xox", "xapp-"],
    pattern: /(?<![\w-])(xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{10,250})/g,
  },
  {
    name: "slack-webhook",
    hints: ["hooks.slack.com"],
    pattern: /(https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,})/g,
  },
  {
    name: "discord-webhook",
    hints: ["/api/webhooks/"],
    pattern: /(https:\/\/discord(?:app)?\.com\/api\/webhooks\/\d+\/[A-Za-z0-9_-]{30,})/g,
  },
  {
    name: "stripe-key",
    hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    pattern: /(?<![A-Za-z0-9_])((?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,250})/g,
  },
  {
    name: "google-api-key",
    hints: ["AIza"],
    pattern: /(?<![A-Za-z0-9_-])(AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/g,
  },
  {
    name: "google-oauth",
    hints: ["ya29.", "GOCSPX-"],
    pattern: /(?<![\w-])(ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})/g,
  },
  {
    name: "npm-token",
    hints: ["npm_", "_authToken"],
    pattern: /(?<![A-Za-z0-9_])(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])|_authToken\s*=\s*(\S{16,})/g,
  },
  {
    name: "pypi-token",
    hints: ["pypi-"],
    pattern: /(?<![\w-])(pypi-[A-Za-z0-9_-]{50,})/g,
  },
  {
    name: "huggingface-token",
    hints: ["hf_"],
    pattern: /(?<![A-Za-z0-9_])(hf_[A-Za-z0-9]{30,60})(?![A-Za-z0-9])/g,
  },
  {
    name: "sendgrid-key",
    hints: ["SG."],
    pattern: /(?<![\w.])(SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64})/g,
  },
  {
    name: "twilio-key",
    hints: ["SK", "AC"],
    pattern: /(?<![A-Za-z0-9])((?:SK|AC)[0-9a-f]{32})(?![A-Za-z0-9])/g,
  },
  {
    name: "digitalocean-token",
    hints: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: /(?<![A-Za-z0-9_])(do[opr]_v1_[0-9a-f]{64})/g,
  },
  {
    name: "shopify-token",
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: /(?<![A-Za-z0-9_])(shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32})/g,
  },
  {
    name: "linear-key",
    hints: ["lin_api_"],
    pattern: /(?<![A-Za-z0-9_])(lin_api_[A-Za-z0-9]{32,})/g,
  },
  {
    name: "notion-token",
    hints: ["ntn_", "secret_"],
    pattern: /(?<![A-Za-z0-9_])(ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])/g,
  },
  {
    name: "telegram-token",
    hints: [":AA"],
    pattern: /(?<![\w-])(\d{8,10}:AA[A-Za-z0-9_-]{32,34})(?![\w-])/g,
  },
  {
    name: "vault-token",
    hints: ["hvs.", "hvb."],
    pattern: /(?<![\w.])(hv[sb]\.[A-Za-z0-9_-]{24,200})/g,
  },
  {
    name: "age-key",
    hints: ["AGE-SECRET-KEY-1"],
    pattern: /(AGE-SECRET-KEY-1[A-Z0-9]{58})/g,
  },
  {
    name: "azure-key",
    hints: ["AccountKey=", "SharedAccessKey="],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})/g,
  },
  {
    name: "jwt",
    hints: ["eyJ"],
    pattern: /(?<![A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,})/g,
  },
  {
    name: "url-password",
    hints: ["://"],
    pattern: /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'<>]{0,128}:([^\s:/@"'<>]{3,256})@/gi,
    accept: isNoPlaceholder,
  },
  {
    name: "authorization-header",
    hints: ["uthorization", "UTHORIZATION"],
    pattern:
      /(?:authorization["']?\s{0,20}[:=]\s{0,20}(?:["']\s{0,20})?)(?:bearer|basic|token)\s{1,20}([A-Za-z0-9._~+/=-]{12,2000})/gi,
    accept: isNoPlaceholder,
  },
  {
    name: "bearer-token",
    hints: ["earer ", "BEARER "],
    pattern: /\bbearer\s{1,20}([A-Za-z0-9._~+/=-]{24,2000})/gi,
    accept: (secret) => isNoPlaceholder(secret) && looksRandom(secret),
  },
  {
    name: "assigned-secret",
    hints: [
      "ecret",
      "ECRET",
      "assw",
      "ASSW",
      "oken",
      "OKEN",
      "pi_key",
      "PI_KEY",
      "piKey",
      "pikey",
      "pi-key",
      "redential",
      "REDENTIAL",
      "rivate_key",
      "RIVATE_KEY",
      "ccess_key",
      "CCESS_KEY",
      "ccessKey",
      "ncryption_key",
      "NCRYPTION_KEY",
    ],
    pattern:
      /(?:secret|passwd|password|passwort|token(?!i[sz])|api[_-]?key|credential|private[_-]?key|access[_-]?key|encryption[_-]?key)s?[A-Za-z0-9_]{0,30}["']?\s{0,20}(?::=|=>|[:=])\s{0,20}(?:"([^"\s]{8,512})"|'([^'\s]{8,512})'|`([^`\s]{8,512})`|([^\s"'`,;(){}[\]<>]{12,512}))/gi,
    accept: (secret, match) =>
      isNoPlaceholder(secret) && looksRandom(secret) && (/^passw/i.test(match) || !isWords(secret)),
  },
];

function hasDigitAndLetter(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret);
}

/** Words that stand for a secret in documentation and code are not secrets. */
function isNoPlaceholder(secret: string): boolean {
  if (/^(?:\$|\{\{|<|%|\*+$|x+$|\.+$)/i.test(secret)) return false;
  if (/\$\{|\{\{|process\.env|os\.environ|getenv|Deno\.env/.test(secret)) return false;
  return !/^(?:your|my|the|some|example|changeme|placeholder|redacted|null|undefined|none|true|false|test|dummy|xxx)/i
    .test(secret);
}

/** Addresses, paths, names of things and member expressions: words, with a digit or two at their ends. */
function isWords(secret: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(secret) ||
    /^[~./]*[a-z_$]+\d{0,2}(?:[./:-]+[a-z_$]+\d{0,2})*$/i.test(secret);
}

/** Random enough to be a secret: several kinds of characters and few repeats. */
function looksRandom(secret: string): boolean {
  if (/^[A-Za-z_][\w.]*\(/.test(secret)) return false;
  if (/^[a-z]+(?:[._/-][a-z]+)*$/i.test(secret)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(secret)).length;
  return kinds >= 2 && entropyOf(secret) >= 2.8;
}

/** Shannon's entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
