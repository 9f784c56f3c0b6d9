// Tokens that are known by how they begin, and keys by the lines around them.

import { floating, line, quotes, type RedactRule, token } from "./redact_rule.ts";
import { entropyOf } from "./secret_words.ts";

/** One rule a service, or one for several of a kind. */
export const tokenRules: readonly RedactRule[] = [
  {
    name: "private-key",
    hints: ["private key"],
    // A key that was cut has no end; text that only speaks of keys has signs that no key has.
    source:
      `-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[A-Za-z0-9+/=\\s\\\\:,.()"']|-(?!----)){20,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\\s\\\\]{40,20000})`,
    flags: "",
    floats: 30_000,
    accept: () => true,
  },
  {
    ...token(
      "aws-access-key-id",
      "akia asia abia acca",
      "(?:A[KS]IA|ABIA|ACCA)[A-Z2-7]{16}(?!\\w)",
    ),
    accept: (secret) => entropyOf(secret) >= 3 && !secret.endsWith("EXAMPLE"),
  },
  line(
    "aws-secret-access-key",
    ["aws_secret", "aws secret", "secretaccesskey", "awssecret"],
    `(?:aws.{0,3}secret.{0,20}?|SecretAccessKey)${quotes}\\s{0,20}(?:[:=|]|\\bis\\b)\\s{0,20}${quotes}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    (secret) => entropyOf(secret) >= 3.5,
  ),
  token("aws-bedrock-key", "absk", "ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
  token("aws-session-token", "iqojb3jpz2lux2vj", "IQoJb3JpZ2luX2Vj[A-Za-z0-9+/]{50,2000}={0,2}"),
  token("anthropic-key", "sk-ant-", "(?<!-)sk-ant-[A-Za-z0-9_-]{20,200}"),
  {
    ...token(
      "openai-key",
      "sk-",
      "(?<!-)(?:sk-(?:proj|svcacct|admin|None|or-v1|lf)-[A-Za-z0-9_-]{20,250}|sk-[A-Za-z0-9]{20,64})(?![\\w-])",
    ),
    accept: (secret) => entropyOf(secret) >= 3 && /\d/.test(secret),
  },
  token(
    "github-token",
    "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
    "gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{36,255}",
  ),
  token(
    "gitlab-token",
    "glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-",
    "gl(?:pat|dt|rtr?|ptt|cbt|ft|soat|agent|oas|imt|ffct|wt)-[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}\\.?[0-9a-z]{7,9})?",
  ),
  token(
    "slack-token",
    "xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xapp-",
    "xox[abcdeoprs](?:\\.xox[bp])?-[A-Za-z0-9%_-]{10,400}|xapp-\\d-[A-Za-z0-9-]{10,250}",
  ),
  line(
    "slack-webhook",
    ["https://hooks.slack.com"],
    "https://hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}",
  ),
  line(
    "discord-webhook",
    ["https://discord"],
    "https://discord(?:app)?\\.com/api/webhooks/\\d{1,30}/[A-Za-z0-9_-]{30,200}",
  ),
  floating(
    "discord-token",
    "discord",
    "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![\\w-])",
  ),
  token(
    "stripe-key",
    "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
    "(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/]{16,250}={0,2}",
  ),
  token("google-api-key", "aiza", "AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
  token(
    "google-oauth",
    "ya29. gocspx- 1//0 goog1e",
    "ya29\\.[A-Za-z0-9_-]{20,500}|GOCSPX-[A-Za-z0-9_-]{20,60}|1//0[A-Za-z0-9_-]{40,200}|GOOG1E[A-Z0-9]{50,70}",
  ),
  token("npm-token", "npm_", "npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
  line(
    "npm-token",
    ["_auth"],
    `_auth(?:Token)?\\s{0,5}=\\s{0,5}${quotes}([^\\s"'\\\\]{16,500})`,
  ),
  token("pypi-token", "pypi-", "pypi-[A-Za-z0-9_-]{50,1000}"),
  token(
    "huggingface-token",
    "hf_ api_org_",
    "(?:hf|api_org)_[A-Za-z0-9]{30,60}(?![A-Za-z0-9])",
  ),
  token("sendgrid-key", "sg.", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}"),
  ...["SK", "AC"].map((prefix) => ({
    ...token(
      "twilio-key",
      [..."0123456789abcdef"].map((digit) => prefix + digit).join(" "),
      `${prefix}[0-9a-f]{32}(?![A-Za-z0-9])`,
    ),
    probe: (text: string, at: number) => text.startsWith(prefix, at),
  })),
  token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "do[opr]_v1_[0-9a-f]{64}"),
  token(
    "shopify-token",
    "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_",
    "shp(?:at|ca|pa|ss|ua|tka)_[A-Fa-f0-9]{32,40}",
  ),
  token("linear-key", "lin_api_ lin_oauth_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,100}"),
  token(
    "notion-token",
    "ntn_ secret_",
    "(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])",
  ),
  floating("telegram-token", ":aa", "(?<!-)(?:bot)?(\\d{8,10}:AA[A-Za-z0-9_-]{32,34})(?![\\w-])"),
  token("vault-token", "hvs. hvb. hvr.", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
  token("age-key", "age-secret-key-1", "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
  line(
    "azure-key",
    ["accountkey=", "sharedaccesskey="],
    "(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})",
  ),
  line(
    "azure-sas",
    ["sig="],
    "sig=([A-Za-z0-9%+/_=-]{20,200})",
    (secret) => entropyOf(secret) >= 3.5,
  ),
  line("aws-signature", ["signature="], "signature=([a-f0-9]{64})(?![a-f0-9])"),
  floating(
    "azure-client-secret",
    "0q~ 1q~ 2q~ 3q~ 4q~ 5q~ 6q~ 7q~ 8q~ 9q~",
    "[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}",
  ),
  floating("azure-devops-token", "azdo", "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}AZDO[A-Za-z0-9]{4}"),
  token("groq-key", "gsk_", "gsk_[A-Za-z0-9]{40,80}"),
  token("xai-key", "xai-", "xai-[A-Za-z0-9]{60,120}"),
  token("replicate-token", "r8_", "r8_[A-Za-z0-9]{30,60}"),
  token("perplexity-key", "pplx-", "pplx-[A-Za-z0-9]{40,80}"),
  token(
    "ai-service-key",
    "csk- lsv2_ pcsk_ tvly- nvapi- jina_ fc- fw_ sk_",
    "csk-[a-z0-9]{40,60}|lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}|pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}|tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,60}|nvapi-[A-Za-z0-9_-]{50,90}|jina_[A-Za-z0-9_-]{50,80}|fc-[0-9a-f]{32}(?![\\w-])|fw_[A-Za-z0-9]{22,32}(?![\\w-])|sk_[0-9a-f]{48}(?![\\w-])",
  ),
  token(
    "docker-token",
    "dckr_pat_ dckr_oat_",
    "dckr_[po]at_[A-Za-z0-9_-]{20,60}",
  ),
  token(
    "atlassian-token",
    "atatt3 atctt3 atbb",
    "AT[AC]TT3[A-Za-z0-9_-]{60,250}(?:=[0-9A-F]{8})?|ATBB[A-Za-z0-9]{28,36}(?![\\w-])",
  ),
  token("databricks-token", "dapi dose", "(?:dapi|dose)[0-9a-f]{32}(?:-\\d)?(?![\\w])"),
  token(
    "supabase-key",
    "sbp_ sb_secret_",
    "sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{22,60}",
  ),
  token(
    "hosting-token",
    "vcp_ vck_ vci_ vca_ vcr_ nfp_ rnd_ napi_ pul- hrku- fm2_ fm1r_ fo1_ pscale_",
    "vc[pkiar]_[A-Za-z0-9]{24,80}|nfp_[A-Za-z0-9]{36,44}|rnd_[A-Za-z0-9]{24,40}|napi_[a-z0-9]{40,80}|pul-[0-9a-f]{40}|HRKU-[A-Za-z0-9_-]{36,80}|(?:fm2|fm1r|fo1)_[A-Za-z0-9+/_-]{40,1200}={0,3}|pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.=-]{32,64}",
  ),
  token(
    "vault-service-token",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. ops_eyj st. tskey- sha256~",
    "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}|ops_eyJ[A-Za-z0-9+/_-]{100,1500}={0,2}|st\\.[0-9a-f-]{24,36}\\.[0-9a-f]{32}\\.[0-9a-f]{32}|tskey-[a-z]{2,12}-[A-Za-z0-9-]{20,80}|sha256~[A-Za-z0-9_-]{43}",
  ),
  token(
    "observability-key",
    "sntrys_ sntryu_ nrak- nrii- nraa- glsa_ glc_ dt0c01. dt0s01. hcaik_ hcbik_ hcxik_ hcxlk_ phx_ phs_",
    "sntrys_eyJ[A-Za-z0-9+/=_-]{60,500}|sntryu_[0-9a-f]{64}|NR(?:AK|II|AA)-[A-Za-z0-9_-]{27,40}|glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2}|dt0[cs]01\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}|hc[abx][il]k_[a-z0-9]{40,70}|ph[xs]_[A-Za-z0-9]{40,60}",
  ),
  floating("newrelic-license", "ffffnral", "[0-9a-f]{36}FFFFNRAL"),
  token(
    "build-service-token",
    "ccipat_ bkua_ bkaj_ squ_ sqp_ sqa_ sgp_ rubygems_ cio oy2 akcp cmvmdgtu clojars_",
    "CCIPAT_[A-Za-z0-9]{10,40}_[0-9a-f]{40}|bk(?:ua|aj)_[0-9a-f]{40}|sq[upa]_[0-9a-f]{40}|sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}|rubygems_[0-9a-f]{48}|cio[A-Za-z0-9]{32}(?![\\w-])|oy2[a-z0-9]{43}(?![\\w-])|AKCp[A-Za-z0-9]{60,75}|cmVmdGtu[A-Za-z0-9]{56}(?![\\w-])|CLOJARS_[a-z0-9]{60}",
  ),
  {
    ...token("work-service-token", "pat", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
    probe: (text, at) => text[at + 17] === ".",
  },
  token(
    "work-service-token",
    "figd_ figdr_ pmak- pk_ tfp_ cfpat- rdme_ pnu_ pnb_",
    "figdr?_[A-Za-z0-9_-]{38,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|pk_\\d{6,12}_[A-Z0-9]{32}|tfp_[A-Za-z0-9_.=-]{40,70}|CFPAT-[A-Za-z0-9_-]{43}|rdme_[a-z0-9]{70}|pn[ub]_[A-Za-z0-9]{36}",
  ),
  token(
    "mail-service-key",
    "key- xkeysib- xsmtpsib- re_",
    "key-[0-9a-f]{32}(?![\\w-])|x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30}(?![\\w-])",
  ),
  floating(
    "mailchimp-key",
    "-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9",
    "[0-9a-f]{32}-us\\d{1,2}(?![\\w-])",
  ),
  token(
    "payment-key",
    "eaaa sq0atp- sq0csp- access_token$ access-sandbox- access-development- access-production- flwseck rzp_live_ rzp_test_ live_ test_ shippo_ ezak eztk duffel_",
    "EAAA[A-Za-z0-9_-]{56,64}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,50}|access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[0-9a-f]{32}|access-(?:sandbox|development|production)-[0-9a-f-]{36}|FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,40}(?:-X)?|rzp_(?:live|test)_[A-Za-z0-9]{14,30}|(?:live|test)_[0-9a-f]{35}(?![\\w-])|shippo_(?:live|test)_[0-9a-f]{40}|EZ[AT]K[A-Za-z0-9]{54}|duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
  ),
  token(
    "cloud-key",
    "ltai akid t1. v1.0- p8e- eaa sl.",
    "LTAI[A-Za-z0-9]{12,24}(?![\\w-])|AKID[A-Za-z0-9]{32}(?![\\w-])|t1\\.[A-Za-z0-9_-]{30,300}={0,2}\\.[A-Za-z0-9_-]{86}={0,2}|v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}|p8e-[A-Za-z0-9_-]{32}|EAA[A-Za-z0-9]{100,400}|sl\\.[A-Za-z0-9_.-]{130,200}",
  ),
  token(
    "asana-token",
    "0/1 1/1 2/0 2/1 2/2 2/3 2/4 2/5 2/6 2/7 2/8 2/9",
    "(?:[01]/\\d{16}:[0-9a-f]{32}|2/\\d{13,19}/\\d{13,19}:[0-9a-f]{32})(?![\\w-])",
  ),
  token(
    "service-token",
    "figp_ shltm_ bbdc- bbff- pat-na pat-eu rh-api- cfut_ cfat_ cfk_ ddp_ ddw_ bb_pr_ bb_ma_ 3mvg9 5aep861 sdk- secret-live- secret-test- key0 scw exo avns_ ccdb1_ mdb_sa_sk_ dbtu_ dbtc_ essu_ k00 bsa tgp_v1_ e2b_ pa- fio-u- tk-us- m0- api_key vf. endr+ aio_ sqco_ ramp_sec_ api- ctx7sk sk-",
    "figp_[A-Za-z0-9_=-]{40,54}|shltm_[A-Za-z0-9_-]{40}|BB(?:DC|FF)-[A-Za-z0-9+/@_-]{30,50}|pat-(?:eu|na)\\d-[0-9a-f-]{36}|rh-api-[0-9a-f-]{36}|cf(?:[ua]t|k)_[A-Za-z0-9]{40,60}|dd[pw]_[A-Za-z0-9]{36}|bb_(?:pr|ma)_[a-f0-9]{30}|3MVG9[0-9a-zA-Z._+/=]{60,251}|5AEP861[a-zA-Z0-9._=]{60,200}|sdk-[0-9a-f]{8}-[0-9a-f-]{27}|secret-(?:live|test)-[A-Za-z0-9_=-]{30,60}|KEY0[0-9A-F]{30,40}_[A-Za-z0-9]{20,24}|SCW[A-Z0-9]{17}(?!\\w)|EXO[0-9a-f]{24,32}(?!\\w)|AVNS_[A-Za-z0-9_-]{15,24}|CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}|mdb_sa_sk_[A-Za-z0-9_-]{30,50}|dbt[uc]_[A-Za-z0-9_=-]{30,80}|essu_[A-Za-z0-9+/=_-]{40,200}|K00\\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])|BSA[A-Za-z0-9_-]{27,28}(?![\\w-])|tgp_v1_[A-Za-z0-9_-]{40,50}|e2b_[0-9a-f]{40}|pa-[A-Za-z0-9_-]{43}(?![\\w-])|fio-u-[A-Za-z0-9_-]{60,70}|tk-us-[A-Za-z0-9_-]{40,60}|m0-[A-Za-z0-9]{36,44}(?!\\w)|API_KEY[0-9A-Z]{32}|VF\\.(?:(?:DM|WS)\\.)?[a-fA-F0-9]{24}\\.[a-zA-Z0-9]{16}|endr\\+[a-zA-Z0-9-]{16}|aio_[a-zA-Z0-9]{28}|sqco_[A-Za-z0-9]{50,60}|ramp_sec_[A-Za-z0-9]{40,50}|API-[A-Z0-9]{26,32}(?!\\w)|ctx7sk-[0-9a-f-]{36}|sk-[a-z][a-z0-9]{1,11}-[A-Za-z0-9_-]{24,200}",
  ),
  token(
    "jwt",
    "eyj",
    "(?<!-)eyJ[A-Za-z0-9_-]{8,4000}\\.eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{10,2000}",
  ),
];
