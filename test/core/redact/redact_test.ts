// Secrets never reach the disk (invariant 9): one table of real-looking secrets per rule, one of
// texts that only look like some, every string field of a row, and no input that makes a rule slow.
// The secrets are put together here so that scanners do not take this file for a leak.

import assert from "node:assert/strict";
import fc from "fast-check";
import { assignment, gitleaksRules } from "../../../src/core/redact/gitleaks_rules.ts";
import { redactText, redactValue } from "../../../src/core/redact/redact.ts";
import { ownRules, redactRules } from "../../../src/core/redact/redact_rules.ts";
import { secretCases } from "../../../bench/redact_corpus.ts";
import { casesOf } from "../../support/full_length.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const letters = "aB3dE5gH7jK9mN1pQ4sT6vW8xY0zC2bF";
const hex = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
/** Random-looking characters, as many as wanted. */
const some = (count: number): string => letters.repeat(9).slice(0, count);
const someHex = (count: number): string => hex.repeat(9).slice(0, count);
const upper = (count: number): string =>
  "QWERTYUIOPASDFGHJKLZXCVBNM234567".repeat(3).slice(0, count);

/** By rule: texts, each as [before, secret, after]; the secret alone must go. */
const secrets: Record<string, [string, string, string][]> = {
  "private-key": [
    [
      "key:\n",
      `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${some(64)}\n-----END RSA ${"PRIVATE"} KEY-----`,
      "\nend",
    ],
    ["", `-----BEGIN ${"PRIVATE"} KEY-----\n${some(64)}\n${some(40)}`, ""],
    [
      "",
      `-----BEGIN PGP ${"PRIVATE"} KEY BLOCK-----\n\n${
        some(60)
      }\n-----END PGP ${"PRIVATE"} KEY BLOCK-----`,
      "",
    ],
    // In base64, as a kubeconfig has it: each kind falls on another of three places.
    ...["", "RSA ", "OPENSSH "].map((kind): [string, string, string] => [
      "client-key-data: ",
      btoa(`-----BEGIN ${kind}${"PRIVATE"} KEY-----\n${some(64)}\n`),
      "\n",
    ]),
  ],
  "aws-access-key-id": [["id ", "AKIA" + upper(16), " used"], ["(", "ASIA" + upper(16), ")"]],
  "aws-secret-access-key": [
    ["aws_secret_access_key = ", some(40), "\n"],
    ['{"SecretAccessKey": "', some(40), '"}'],
    ["|  SecretAccessKey |  ", some(40), "  |"],
  ],
  "anthropic-key": [["", "sk-" + "ant-" + "api03-" + some(80), ""]],
  "openai-key": [
    ["export X ", "sk-" + "proj-" + some(60), ""],
    ["", "sk-" + some(48), "."],
    ["", "sk-" + "or-v1-" + someHex(64), ""],
  ],
  "github-token": [
    ["", "gh" + "p_" + some(36), ""],
    ["", "gh" + "s_" + some(36), " x"],
    ["", "github" + "_pat_" + some(22) + "_" + some(59), ""],
  ],
  "gitlab-token": [["", "gl" + "pat-" + some(20), ""]],
  "slack-token": [["", "xo" + "xb-" + "123456789012-" + some(24), ""], [
    "",
    "xa" + "pp-1-" + some(30),
    "",
  ]],
  "slack-webhook": [[
    "curl ",
    "https://hooks.slack" + ".com/services/T00000000/B00000000/" + some(24),
    "",
  ]],
  "discord-webhook": [["", "https://discord" + ".com/api/webhooks/123456789/" + some(60), ""]],
  "stripe-key": [
    ["", "sk" + "_live_" + some(24), ""],
    ["", "rk" + "_test_" + some(24), ""],
    ["", "wh" + "sec_" + some(32), ""],
  ],
  "google-api-key": [["key=", "AI" + "za" + some(35), "&q=1"]],
  "google-oauth": [["", "ya" + "29." + some(60), ""], ["", "GOC" + "SPX-" + some(28), ""]],
  "npm-token": [
    ["", "np" + "m_" + some(36), ""],
    ["//registry.example.com/:_authToken=", some(36), ""],
  ],
  "pypi-token": [["", "py" + "pi-" + some(80), ""]],
  "huggingface-token": [["", "h" + "f_" + some(34), ""]],
  "sendgrid-key": [["", "S" + "G." + some(22) + "." + some(43), ""]],
  "twilio-key": [["", "S" + "K" + someHex(32), ""], ["", "A" + "C" + someHex(32), ""]],
  "digitalocean-token": [["", "do" + "p_v1_" + someHex(64), ""]],
  "shopify-token": [["", "shp" + "at_" + someHex(32), ""]],
  "linear-key": [["", "lin" + "_api_" + some(40), ""]],
  "notion-token": [["", "nt" + "n_" + some(46), ""], ["", "sec" + "ret_" + some(43), ""]],
  "telegram-token": [
    ["bot ", "123456789" + ":AA" + some(33), ""],
    ["https://api.telegram.org/bot", "123456789" + ":AA" + some(33), "/getMe"],
  ],
  "vault-token": [["", "hv" + "s." + some(90), ""]],
  "age-key": [["", "AGE-SECRET-" + "KEY-1" + upper(58), ""]],
  "azure-key": [["AccountName=x;AccountKey=", some(86) + "==", ";EndpointSuffix=y"]],
  "jwt": [["cookie: a=", "ey" + "J" + some(20) + ".ey" + "J" + some(40) + "." + some(43), "; b"]],
  "url-password": [
    ["postgres://app:", "s3cr3t-Pa55", "@db.internal:5432/app"],
    ["redis://:", "hunter2hunter2", "@cache:6379"],
    ["https://user:", "p4ssw0rd!", "@example.com/x"],
  ],
  "authorization-header": [
    ["Authorization: Bearer ", some(30), "\n"],
    ["-H 'authorization: Basic ", "dXNlcjpwYXNzd29yZA==", "'"],
    ["Authorization: token ", someHex(40), ""],
  ],
  "bearer-token": [["use bearer ", some(30) + "%3D" + some(20), " here"], [
    "use bearer ",
    some(40),
    " here",
  ]],
  "url-token": [
    ["git clone https://", someHex(40), "@github.com/acme/app.git"],
    ["https://", someHex(40), ":@github.com/acme/app.git"],
  ],
  "command-password": [
    ["curl -uadmin:", "kd82mKq1x", " https://example.com"],
    ["redis-cli -h cache -a ", "kd82mKq1x", " ping"],
    ["ldapsearch -x -D cn=admin -w ", "kd82mKq1x", " -b dc=example"],
    ["mongosh -u admin -p ", "kd82mKq1x", " --host db"],
    ["smbclient //srv/share -U bob%", "kd82mKq1x", ""],
    ["http -a bob:", "kd82mKq1x", " https://example.com"],
    ["gh secret set KEY --body ", "kd82mKq1x", "\n"],
    ["aws secretsmanager create-secret --name db --secret-string ", "meadow-lemon618", "\n"],
    ["aws secretsmanager put-secret-value --secret-id db --secret-string ", "meadow-lemon618", ""],
    ["clickhouse-client -h db -u app -P ", "kd82mKq1x", " -q 'select 1'"],
  ],
  "oracle-password": [
    ["sqlplus -s app/", "kd82mKq1x", "@db:1521/ORCL"],
    ["jdbc:oracle:thin:app/", "kd82mKq1x", "@db:1521:ORCL"],
  ],
  "sql-password": [
    ["CREATE USER app WITH PASSWORD '", "hunter22", "';"],
    ["CREATE USER 'app'@'%' IDENTIFIED BY '", "hunter22", "';"],
    ["create user app identified by ", "kd82mKq1x", ";"],
  ],
  "powershell-password": [
    ['$p = ConvertTo-SecureString -String "', "hunter22", '" -AsPlainText -Force'],
  ],
  "unknown-token": [
    ["I pasted ", "quux_" + some(40), " by mistake"],
    ["", "zeta_live_" + some(28), ""],
    ["FROB_KEY=", someHex(32), "\n"],
    ['{"widgetKey":"', some(32), '"}'],
    ["deployctl -t ", some(36), " app"],
    ["here is the Mixpanel secret you asked for: ", some(32), ""],
  ],
  "call-credential": [
    ['requests.get(url, auth=("bob", "', "kd82mKq1xT", '"))'],
    ['getConnection("jdbc:mysql://db/app", "app", "', "kd82mKq1xT", '");'],
    ['new PDO("mysql:host=db", "app", "', "kd82mKq1xT", '");'],
    ['createHmac("sha256", "', some(32), '").update(x)'],
    ["INSERT INTO users (name, password) VALUES ('bob', '", "kd82mKq1xT", "');"],
    ['new mysqli("localhost", "shop", "', "meadowlemon6185", '", "shop")'],
    ['client.username_pw_set("sensor", "', some(16), '")'],
  ],
  "session-cookie": [
    ["Set-Cookie: auth_session=", some(40), "; Path=/"],
    ["Cookie: theme=dark; laravel_session=", some(60), ""],
    ['curl -b "theme=dark; acct=', some(40), '" https://example.com'],
    ["curl --cookie 'acct=", some(40), "' https://example.com"],
  ],
  "piped-secret": [
    ["echo ", some(20), " | docker login --password-stdin"],
    ['echo "', some(32), '" | wrangler secret put API'],
    ['docker login --password-stdin <<< "', some(20), '"'],
  ],
  "password-hash": [
    ["root:", "$6$" + some(16) + "$" + some(86), ":19000:0:99999:7:::"],
    ["bob,", "$2b$12$" + some(53), ",active"],
  ],
  "jwk-key": [['{"kty":"EC","d":"', some(43), '"}']],
  "seed-phrase": [
    [
      'MNEMONIC="',
      "ripple scissor kick mammal hire column oak again sun offer wealth tomorrow",
      '"',
    ],
    [
      "my seed phrase is: ",
      "ripple scissor kick mammal hire column oak again sun offer wealth tomorrow",
      ".",
    ],
  ],
  "wallet-key": [["", "xprv" + some(107), ""], ["", "nsec1" + someHex(58), ""], [
    'new ethers.Wallet("',
    "0x" + someHex(64),
    '", provider)',
  ], ["WIF: ", "L" + "1aB3dE5gH7jK9mN2pQ4sT6vW8xY".repeat(2).slice(0, 51), " (old)"]],
  "url-signature": [[
    "https://cdn.example.com/v?Expires=1&Signature=",
    some(170),
    "&Key-Pair-Id=K2",
  ]],
  "url-key": [["https://app.example.com/api/run?code=", some(54), "&x=1"]],
  "webhook-url": [["https://hooks.example.com/services/42/", some(32), ""]],
  "command-token": [
    ["cargo login ", some(32), ""],
    ["C: AUTH PLAIN ", btoa("\0ann@example.com\0kd82mKq1x"), "\r\n"],
  ],
  "config-password": [
    ["username admin password 7 ", "0822455D0A16", "\n"],
    ['dsn := "app:', "kd82mKq1x", '@tcp(127.0.0.1:3306)/app"'],
    ['dsn := "app:', "Riv3rStone#81", '@tcp(db:3306)/app"'],
    ["line vty 0 4\n password ", "MeadowLemon618", "\n login"],
    ["snmp-server community ", "MeadowLemon618", " RO"],
    ["WIFI:T:WPA;S:Attic;P:", "MeadowLemon618", ";;"],
    ["crypto isakmp key ", "meadow-lemon61", " address 192.0.2.7"],
    ['vpn.example.com : PSK "', "Meadow!lemon", '"\n'],
  ],
  "spoken-password": [
    ["credentials: admin / ", "kd82mKq1xT", ""],
    ["Ich habe das Passwort auf ", "meadow-lemon618", " geändert."],
    ["J'ai remplacé le mot de passe root par ", "meadowlemon6185", " hier."],
    ['Use "', "MeadowLemon618", '" as the root password.'],
  ],
  "recovery-codes": [["Recovery codes: ", "4f2a-9c1d 8b3e-7a6f 1c5d-2e9b", ""], [
    "my last backup code: ",
    "7c1f2-9ab34",
    "",
  ], ["bitlocker asks for ", Array(8).fill("204718").join("-"), " again"]],
  "service-token": [["", "figp_" + some(44), ""]],
  "access-token": [["GITHUB_PAT=", someHex(40), "\n"]],
  "pgpass-password": [
    ["db.internal:5432:app:deploy:", "kd82mKq1x", "\n"],
    ["*:*:*:deploy:", "kd82mKq1x", ""],
    ["cat ~/.pgpass\ndb:6432:app:deploy:", "kd82mKq1x", "\n"],
  ],
  "docker-auth": [
    [".dockerconfigjson: ", btoa(`{"auths":{"registry.example":{"auth":"${some(24)}"}}}`), "\n"],
  ],
  "tunnel-token": [
    [
      "cloudflared service install ",
      btoa(`{"a":"${someHex(32)}","t":"${someHex(32)}","s":"${some(42)}"}`),
      "",
    ],
  ],
  "unseal-key": [
    ["Unseal Key 1: ", some(20) + "/" + some(22) + "+", "\n"],
    ["vault operator unseal ", someHex(64), ""],
  ],
  "session-key": [["bw get item x --session ", some(40) + "/" + some(45) + "==", ""]],
  "totp-secret": [['pyotp.TOTP("', upper(32), '")'], ["oathtool --totp -b ", upper(32), ""]],
  "app-password": [
    ["SMTP_PASSWORD='", "kxtw abdu qpfz mnor", "'"],
    ['server.login("ann@example.com", "', "kxtw abdu qpfz mnor", '")'],
  ],
  "pin": [["pkcs11-tool --login --pin ", "714203", " -O"], [
    "The PIN for the card is ",
    "714203",
    ".",
  ]],
  "printed-secret": [
    ["$ cat config/master.key\n", someHex(32), "\n"],
    ["$ terraform output -raw db_password\n", "q7#Lw2pXv!9Rk", "\n$"],
    ["New value: ", some(20), "\n"],
  ],
  "typed-password": [
    ['driver.findElement(By.id("password")).sendKeys("', "MeadowLemon618", '");'],
    ["cy.get('input[type=password]').type('", "meadow61852", "')"],
  ],
  "app-key": [["'key' => 'base64:", some(43) + "=", "',"]],
  "base64-key": [['primary_key = "', some(40) + "/" + some(45) + "==", '"']],
  "machine-key": [['<machineKey validationKey="', someHex(64), '" />']],
  "api-key-pair": [['{"username":"ann","key":"', someHex(32), '"}']],
  "acl-token": [["SecretID:   ", "0f8fad5b-d9cb-469f-a165-70867728950e", "\n"]],
  "assigned-secret": [
    ["const pass = process.env.DB_PASS || '", "Tq!8mLw2zR", "';"],
    ["os.environ.get('SECRET_KEY') or '", some(24), "'"],
    ['config("SECRET_KEY", default="', some(24), '")'],
    ['env::var("ADMIN_PASSWORD").unwrap_or("', "Tq!8mLw2zR", '".into())'],
    ["host=db user=app password=", "MeadowLemon618", " sslmode=off"],
    ["<password>", "Meadow_lemon7", "</password>"],
    ['{:user "app" :password "', "meadow-lemon618", '"}'],
    ['#define DB_PASSWORD "', "Tq!8mLw2zR", '"'],
    ["enable password ", "meadow-lemon618", "\n"],
    ["mein passwort ist ", "meadow-lemon618", " danke"],
    ["La contraseña del servidor es ", "meadow-lemon618", " y ya"],
    ["A senha do servidor é ", "meadow-lemon618", ""],
    ["Het wachtwoord van de server is ", "meadow-lemon618", ""],
    ['{"db_password": {"sensitive": true, "value": "', "XqPvTnAzWontIEPKUF", '"}}'],
    ['const API_KEY: &str = "', some(32), '";'],
    ['var password string = "', "kd82mKq1x", '"'],
    ['Dim pw As String = "', "Winter2024!", '"'],
    ['SECRET = b"', some(32), '"'],
    ['dataSource.setPassword("', "kd82mKq1x", '");'],
    ['let secret = String::from("', some(30), '");'],
    ["aws configure set github_token ", some(36), ""],
    ['network={\n  psk="', "kd82mKq1x", '"\n}'],
    ["api_token: |\n  ", some(40), "\n"],
    ["passwords:\n  - ", "kd82mKq1x", "\n"],
    ["Ocp-Apim-Subscription-Key: ", someHex(32), "\r\n"],
    ['<wsse:Password Type="x">', "kd82mKq1x", "</wsse:Password>"],
    ["<key>ApiSecret</key>\n<string>", some(32), "</string>"],
    ['variable "db_password" {\n  default = "', "kd82mKq1x", '"\n}'],
    ["my pw is ", "hunter2", ""],
    ["Das Passwort lautet ", "kd82mKq1x", ""],
    ["le mot de passe est ", "kd82mKq1x", ""],
    ["la contraseña del servidor es ", "kd82mKq1x", ""],
    ["a senha é ", "kd82mKq1x", ""],
    ["the password for the staging database is ", "kd82mKq1x", ""],
    ["requirepass ", "kd82mKq1xT", "\n"],
    ["The `DB_PASSWORD` is ", "hunter22x", ", see the vault"],
    ["The `--password` is ", "hunter22x", ""],
    ["The password is ", "meadow.2x81", " and stays"],
    ["the token is now set: the password is set to ", "hunter22x", ""],
    ["FROM x\nENV DB_PASSWORD ", "hunter22", "\nRUN y"],
    ["ENV TOKEN ", some(24), ""],
    ["set -gx API_TOKEN ", some(24), "\n"],
    ["setx API_TOKEN ", some(24), "\r\n"],
    ['{"name":"DB_PASSWORD","value":"', "hunter22", '"}'],
    ['{\\"name\\":\\"DB_PASSWORD\\",\\n  \\"value\\":\\"', "hunter22", '\\"}'],
    ["- name: DB_PASSWORD\n  value: ", "hunter22", "\n- name: PORT"],
    ['DB_PASSWORD="', "kT9#mQ2$vX7!", '"'],
    ["api_key: ", some(32), "\n"],
    ["const clientSecret = '", some(28), "';"],
    ["MY_APP_TOKEN=", some(24), ""],
    ['{"access_key": "', some(20), '"}'],
    ["X-API-Key: ", some(24), "\r\n"],
    ["APIKEY=", some(9), ""],
    ["PrivateKey = ", some(43) + "=", "\n"],
    ["encryptionKey: '", some(16), "'"],
    ['{\\"api_key\\":\\"', some(20), '\\"}'],
    ['{\\\\\\"api_key\\\\\\":\\\\\\"', some(20), '\\\\\\"}'],
    ["password: ", "hunt3r2x", "\n"],
    ["PASSWORD=", "hunter22", " ./run"],
    ['password = "', "testing-Kx81!", '"'],
    ["secret: ", "my9Kd02mXq", ""],
    ["Server=db;Uid=app;Pwd=", "kd82mKq1", ";"],
    ["deploy --api-key ", some(20), " now"],
    ["<password>", "kd82mKq1x", "</password>"],
    ["the admin password is ", "kd82mKq1x", ", she said"],
    ['password: "', "a'b9Kd02mXq", '"'],
  ],
};

for (const [rule, samples] of Object.entries(secrets)) {
  Deno.test(`redactText() takes out ${rule} and leaves the text around it`, () => {
    for (const [before, secret, after] of samples) {
      assert.deepEqual(redactText(before + secret + after), {
        value: `${before}[REDACTED:${rule}]${after}`,
        count: 1,
      });
    }
  });
}

Deno.test("every rule of ours finds a sample of this file or of the corpus", () => {
  const texts = [
    ...Object.values(secrets).flat().map((parts) => parts.join("")),
    ...secretCases().map(({ text }) => text),
  ];
  const all = texts.map((text) => redactText(text).value).join("\n");
  const silent = ownRules.filter(({ name }) => !all.includes(`[REDACTED:${name}]`));
  assert.deepEqual(silent.map(({ name }) => name), []);
});

const harmless = [
  "secretKey: Uint8Array; publicKey: Uint8Array",
  "the password is hashed with argon2id; the token is a JWT",
  "fix: the refresh token 615c19d9e03d is not logged in 2.1",
  '"requestId":"req_011CScjDwSLPopDZouM87H3f","output_tokens":22',
  '"call_id":"call_0a1b2c3d4e5f6a7b8c9d0e1f","id":"fc_0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d"',
  "cache-key: Linux-node-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
  "onresumptiontoken: onLastEventIdUpdate",
  "mkdir -p build/x86_64-linux-gnu/lib2 && docker run -p 8080:80 app",
  'db.connect("localhost", "app_user1", "app_db2")',
  "Set-Cookie: lang=en-GB; Path=/; SameSite=Lax",
  "echo $1$2$3 > out2.txt",
  "git checkout -b 'release=2026-01-02T03' && curl -b \"lang=en-GB; theme=solarized-dark-2\" x",
  "curl --cookie jar2.txt --cookie-jar jar2.txt https://example.com",
  "AUTH PLAIN authentication-mechanisms2 need TLS; a plain HttpClientFactory2Builder does not",
  '%any : PSK "<pre-shared-key>"; vpn.example.com : PSK "${VPN_PSK}"',
  "aws secretsmanager create-secret --name db2 --secret-string file://db2.json",
  "put-secret-value --secret-string $DB_SECRET2; create-secret-key2 --value release-2",
  "clickhouse-client -h db2 --port 9000; clickhouse-server -p 9000:9000 -P /var/run/ch2.pid",
  "a mnemonic that helps every student keep their notes in order when exams come near again",
  "The token bucket refills every second; a secret of good caching is the key.",
  "Passwords: never log them. The password is required. Reset your password: click here.",
  "commit 6ed5603a1f0c4b7d9e2f8a3c5d7e9f1b2a4c6d8e fixes #12",
  "id 0f8fad5b-d9cb-469f-a165-70867728950e in the table",
  "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  "token: process.env.X",
  "token: process.env.GITHUB_TOKEN ?? ''",
  'const token = Deno.env.get("API_TOKEN");',
  'password = os.environ["DB_PASSWORD"]',
  "password: ${{ secrets.DB_PASSWORD }}",
  "API_KEY=$API_KEY ctx save",
  'api_key: "<your-api-key-here>"',
  'apiKey: "YOUR_API_KEY"',
  "password: ************",
  "export function countTokens(text: string): number {",
  "const tokens = estimateTokenCount(text, { languageConfigs });",
  "max_tokens: 80000, estimated_tokens = 123456789012",
  'tokenizer: "o200k_base"',
  'const encoding = "cl100k_base";',
  'tokenUrl: "https://auth.example.com/oauth2/v2/token"',
  'private_key_path = "/etc/ssl/private/server2.pem"',
  'secretName: "db-credentials-v2"',
  "accessKey: config.aws2.accessKeyId",
  "this.token = options.token2.value",
  'type Token = "identifier1" | "string2";',
  "https://example.com:8080/path@v2/file.ts:12",
  "git clone ssh://git@github.com:22/denoland/deno.git",
  "postgres://user:$PASSWORD@localhost/db and postgres://user:${PASS}@localhost/db",
  "http://[::1]:3000/ and user@example.com and @scope/package@1.2.3",
  "class SKProductRequest extends ACAccountStore {}",
  "AKIA is the prefix of AWS keys; sk- is OpenAI's; ghp_ is GitHub's; xoxb- is Slack's",
  "sk-learn-like-names-are-fine and sk-button-primary too",
  "the bearer of this message, Bearer tokens and bearer authentication-scheme",
  "eyJ is how base64 of a JSON object starts",
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
  "H-1m7ejg7ejcwnw6st0 in S-1m7ejg7ejcwnw6st0",
  "import { Secret } from './secret.ts'; // secret: see docs/secrets.md#rotation",
  "for (const [key, value] of Object.entries(credentials)) {}",
  "credential: PublicKeyCredential1 | undefined",
  "password = hashlib.sha256(raw.encode()).hexdigest()",
  "SecretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-AbCdEf",
  "tokenAddress: 0x0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d",
  "clientSecret: env.AUTH0_CLIENT_SECRET,",
  "estimated_tokens: 28",
  "postgres://%(user)s:%(password)s@%(host)s/app and %{password} and {{ password }}",
  "password=:password1 password = @password, password: #{password} password=@DB_PASSWORD@",
  'const s = {password:"Login_password__4kQz9",token:"_token_1x9ab_12"}',
  '<assemblyIdentity name="X" publicKeyToken="b77a5c561934e089" />',
  "password_hashing = argon2id\npassword_encryption = scram-sha-256\nsecret_backend = vault2",
  "password_scheme: pbkdf2_sha256, password_driver: mysql_native_password, token_mode: opaque16",
  "password: bcrypt_sha256",
  "The password step12, password issue-1234, password reset2024 and password RFC2898 are notes.",
  "Das Passwort auf Seite 12 ändern; le mot de passe par défaut; la contraseña a cambiar",
  "client-certificate-data: " + btoa("-----BEGIN CERTIFICATE-----\n" + some(64)),
  "$ cat config/master.key\ncat: config/master.key: No such file or directory",
  "$ echo $API_TOKEN\n\n$ terraform output -raw db_password_arn\narn:aws:rds:eu-west-1:db",
  "vault operator unseal needs three keys; unseal: see docs/operations/unsealing-the-vault.md",
  'accounts: ["0x0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d"], new Wallet(provider)',
  "pass: 'this test must pass' and password: four word long text",
  "pin: 13, pin is 4, --pin requirements.txt, pinned to 20240312.1",
  "git config --session x && snmpwalk -v2c -c public 192.0.2.1",
  "process.env.NODE_ENV || 'development', process.env.TOKEN_KIND || 'bearer'",
  'page.getByLabel("Password").fill(password); cy.get("#search").type("release notes12")',
  'connect("localhost", "app", "database1") and new Foo("a", "%Y-%m-%dT%H:%M")',
  'PublicKey = "' + some(43) + '=" and cacheKey: "' + some(43) + '="',
  '"@aws-sdk/credential-providers": "^3.948.0",',
];

for (const text of harmless) {
  Deno.test(`redactText() leaves alone: ${text.slice(0, 60).replaceAll("\n", " ")}`, () => {
    assert.deepEqual(redactText(text), { value: text, count: 0 });
  });
}

Deno.test("redacting twice changes nothing more", () => {
  for (const samples of Object.values(secrets)) {
    for (const parts of samples) {
      const once = redactText(parts.join("")).value;
      assert.deepEqual(redactText(once), { value: once, count: 0 });
    }
  }
});

Deno.test("a mark that is there already is not taken apart; a name that no rule has is no mark", () => {
  for (
    const text of ["https://[REDACTED:url-token]@a.example/x", "https://x1[REDACTED:jwt]@a.example"]
  ) {
    assert.deepEqual(redactText(text), { value: text, count: 0 });
  }
  assert.deepEqual(redactText(`curl -u bob:${some(190)}[REDACTED:jwt] x`), {
    value: "curl -u bob:[REDACTED:command-password][REDACTED:jwt] x",
    count: 1,
  });
  assert.deepEqual(redactText(`[REDACTED:${"gh" + "p_" + some(36)}]`), {
    value: "[REDACTED:[REDACTED:github-token]]",
    count: 1,
  });
});

Deno.test("redactValue() goes into every string, nested ones and names of the row's own fields too", () => {
  const secret = "gh" + "p_" + some(36);
  const row = {
    id: "H-1",
    text: secret,
    title: secret,
    tags: ["a", secret],
    source: { agent: "x", path: secret },
    tool: { name: "bash", input: { id: secret, type: secret, env: [{ role: secret }] } },
    x_unknown: { deep: [[secret]] },
  };
  const { value, count } = redactValue(row);
  assert.equal(JSON.stringify(value).includes(secret), false);
  assert.equal(count, 8);
  assert.equal(value.id, "H-1");
});

Deno.test("redactValue() knows a secret by the name it stands under", () => {
  const { value, count } = redactValue({
    text: "ran it",
    tool: { name: "env", input: { DB_PASSWORD: "kT9#mQ2$vX7!", api_key: some(32), token: "main" } },
  });
  assert.deepEqual(value.tool.input, {
    DB_PASSWORD: "[REDACTED:assigned-secret]",
    api_key: "[REDACTED:assigned-secret]",
    token: "main",
  });
  assert.equal(count, 2);
});

Deno.test("redactValue() knows a value by the name beside it", () => {
  const { value, count } = redactValue({
    tool: { env: [{ name: "DB_PASSWORD", value: "kT9#mQ2$vX7!" }, { name: "PORT", value: "80" }] },
  });
  assert.deepEqual(value.tool.env, [
    { name: "DB_PASSWORD", value: "[REDACTED:assigned-secret]" },
    { name: "PORT", value: "80" },
  ]);
  assert.equal(count, 1);
});

Deno.test("redactValue() redacts names of fields, and loses none of two that become alike", () => {
  const names = ["gh" + "p_" + some(36), "gh" + "p_" + some(35) + "z"];
  const { value, count } = redactValue({ tool: { [names[0]]: 1, [names[1]]: 2, plain: 3 } });
  assert.deepEqual(value.tool, {
    "[REDACTED:github-token]": 1,
    "[REDACTED:github-token] (2)": 2,
    plain: 3,
  });
  assert.equal(count, 2);
});

Deno.test("a secret in any field that save takes is replaced on disk and the count is said", async () => {
  await using t = await tempStore();
  const secret = "gh" + "p_" + some(36);
  const saved = await t.ctx([
    "save",
    `text ${secret}`,
    "--title",
    secret,
    "--summary",
    secret,
    "--tag",
    secret,
    "--file",
    secret,
  ]);
  assert.deepEqual([saved.code, saved.stderr], [
    0,
    "ctx: warning: 5 secrets replaced by [REDACTED:…] before saving\n",
  ]);
  const row = JSON.parse(t.read("history.ndjson"));
  const gone = "[REDACTED:github-token]";
  assert.deepEqual([row.text, row.title, row.summary, row.tags, row.files], [
    `text ${gone}`,
    gone,
    gone,
    [gone],
    [gone],
  ]);
});

Deno.test("a secret in a session's title, a pin or a torn tail is replaced on disk too", async () => {
  await using t = await tempStore();
  const secret = "gh" + "p_" + some(36);
  await t.run("session start", { title: `work with ${secret}` });
  await t.run("pin", { target: `remember ${secret}` });
  t.append("history.ndjson", `{"id":"H-torn","text":"${secret}`);
  await t.run("save", { text: "next" });
  for (const name of t.list()) assert.equal(t.read(name).includes(secret), false, name);
});

Deno.test("--no-redact keeps a secret only where the configuration allows it", async () => {
  await using t = await tempStore();
  const secret = "gh" + "p_" + some(36);
  const denied = await t.ctx(["save", secret, "--no-redact"]);
  assert.deepEqual([denied.code, denied.stdout, t.read("history.ndjson")], [7, "", ""]);
  await t.ctx(["config", "set", "redact", "false"]);
  const kept = await t.ctx(["save", secret, "--no-redact"]);
  assert.equal(t.textOf(kept.stdout.trim()), secret);
  const usual = await t.ctx(["save", secret]);
  assert.equal(t.textOf(usual.stdout.trim()), "[REDACTED:github-token]");
});

Deno.test("every repetition in a rule's pattern has an end", () => {
  for (const { name, source } of redactRules) {
    const plain = source.replace(/\\\\|\\./g, "x").replace(/\[[^\]]*\]/g, "x");
    assert.equal(/[*+]|\{\d+,\}/.exec(plain)?.[0], undefined, name);
  }
});

/** Texts made to make a rule try again and again; each run ends, or this test does not. */
function hostileTo(hint: string, size: number): string[] {
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  return [
    fill(hint),
    fill(`${hint} `),
    fill(`${hint}=`),
    fill(`${hint}="`),
    hint + fill(" "),
    hint + fill("a1B"),
    fill(`${hint} = ${"a1".repeat(20)}.`),
  ];
}

Deno.test("no text made for a rule keeps it busy", () => {
  const all = new Set(redactRules.flatMap(({ hints }) => hints));
  for (const hint of casesOf(all)) for (const text of hostileTo(hint, 4_000)) redactText(text);
  const begin = `-----BEGIN ${"PRIVATE"} KEY-----\n`;
  for (
    const hint of ["token=", "eyJ.", "a://b:", begin, '\\\\"', "api(", "a1_", "key "]
  ) {
    for (const text of hostileTo(hint, 1 << 20).slice(0, 3)) redactText(text);
  }
});

Deno.test("every rule of gitleaks finds what its pattern describes, where its keyword is", () => {
  let found = 0;
  for (const [name, hints, source, flags] of gitleaksRules) {
    const plain = source.replaceAll("§", "_key = ").replaceAll(/\(\?-?i:/g, "(?:")
      .replace(/^\(\?:\\b\|\(\?<=\\\\\[nrt\]\)\)/, "").replaceAll(/\\b|\(\?![^)]*\)/g, "")
      .replaceAll(/\(\?<\w+>/g, "(?:").replaceAll(/(?<!\\)\.(?![^[]*\])/g, "\\.");
    const samples = fc.sample(fc.stringMatching(new RegExp(`^${plain}$`)), {
      seed: 15,
      numRuns: 8,
    });
    const pattern = new RegExp(source.replaceAll("§", assignment), flags);
    const isMatched = samples.some((sample) =>
      pattern.test(` ${sample} `) &&
      hints.split(" ").some((hint) => sample.toLowerCase().includes(hint))
    );
    assert.ok(isMatched, `${name} does not match ${JSON.stringify(samples.slice(0, 2))}`);
    if (samples.some((sample) => redactText(` ${sample} `).count > 0)) found++;
  }
  assert.ok(found > gitleaksRules.length * 0.9, `${found} of ${gitleaksRules.length}`);
});

Deno.test("a mark in front of a secret does not shield it", () => {
  for (
    const text of [
      'password="[REDACTED:x]Tr0ub4dor99xyz"',
      "api_key: '[REDACTED:a]wJalrXUtnFEMIK7MDENGbPx'",
    ]
  ) {
    const { value, count } = redactText(text);
    assert.ok(count > 0, text);
    assert.doesNotMatch(value, /Tr0ub4dor|wJalr/);
  }
  assert.equal(redactText("password=[REDACTED:assigned-secret]").count, 0);
});
