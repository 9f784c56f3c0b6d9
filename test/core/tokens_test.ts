// The token estimator against a real tokenizer (o200k_base): within a tenth per kind of text.

import assert from "node:assert/strict";
import { countTokens as countExactly } from "gpt-tokenizer/encoding/o200k_base";
import { makeId } from "../../src/core/id.ts";
import { countTokens } from "../../src/core/tokens.ts";
import { repository } from "../support/repository.ts";

const python = `import json
from dataclasses import dataclass, field

@dataclass
class Entry:
    """One row of the history, as it is on disk."""
    id: str
    text: str
    tags: list[str] = field(default_factory=list)

def read_entries(path: str) -> list[Entry]:
    entries = []
    with open(path, encoding="utf-8") as log:
        for number, line in enumerate(log, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"line {number} is damaged: {error}") from error
            entries.append(Entry(row["id"], row["text"], row.get("tags", [])))
    return entries

if __name__ == "__main__":
    for entry in sorted(read_entries("history.ndjson"), key=lambda item: item.id):
        print(entry.id, entry.text[:80])
`;

const json = JSON.stringify(
  {
    name: "parcel-api",
    version: "2.4.1",
    dependencies: { express: "^4.18.2", "pg-promise": "^11.5.0", zod: "3.22.4" },
    results: [
      { id: 1, status: "delivered", weight_kg: 2.5, tags: ["fragile", "express"] },
      { id: 2, status: "in_transit", weight_kg: 0.75, tags: [] },
    ],
    limits: { max_tokens: 80000, timeout_ms: 1500, retries: null, verbose: false },
  },
  null,
  2,
);

const texts: Record<string, string[]> = {
  "English prose": [
    "We rotate refresh tokens on every use and revoke the whole family when an old one is used " +
    "again. That way a leaked token is noticed the moment either side refreshes, and the damage " +
    "is limited to a few minutes. The cost is one more write for each refresh, which is nothing " +
    "compared with the alternative.",
    "The deployment failed because the migration ran before the new column had a default. We " +
    "rolled back, added the default in a migration of its own, and deployed again the next " +
    "morning. Nobody lost data, but three customers saw an error page for about ten minutes. " +
    "From now on every migration is tried against a copy of production first.",
    "Why does the worker lose messages when it restarts? It acknowledges them before the handler " +
    "has finished. If the process stops between the two, the queue believes the work was done. " +
    "Acknowledge afterwards, and make the handler safe to run twice.",
  ],
  "TypeScript": [
    await Deno.readTextFile(`${repository}/src/disk/lines.ts`),
    await Deno.readTextFile(`${repository}/src/commands/retrieval/get.ts`),
    await Deno.readTextFile(`${repository}/src/core/text.ts`),
  ],
  "code in Python and JSON": [python, json],
  "Chinese": [
    "我们决定在每次使用后轮换刷新令牌,并在旧令牌被再次使用时撤销整个令牌族。这样一旦令牌泄露,我们马上就能发现。" +
    "访问令牌的有效期为十五分钟,刷新令牌的有效期为三十天。",
    "部署失败的原因是迁移脚本在新列有默认值之前就运行了。我们回滚了版本,先单独添加默认值,第二天早上重新部署。" +
    "没有丢失任何数据,但有三位客户在十分钟内看到了错误页面。以后所有的迁移都要先在生产环境的副本上测试。",
    "搜索功能需要支持中文分词。用户输入查询后,系统应该返回最相关的结果,并说明为什么这些结果相关。" +
    "如果没有找到任何内容,也要明确告诉用户搜索了哪些范围。",
  ],
  "Japanese": [
    "リフレッシュトークンは使用するたびに更新し、古いトークンが再び使われた場合は、そのトークンの系列をすべて無効にします。" +
    "これにより、漏洩したトークンをすぐに検知できます。",
    "デプロイが失敗した原因は、新しい列にデフォルト値が設定される前にマイグレーションが実行されたことです。" +
    "ロールバックして、翌朝に再度デプロイしました。データの損失はありませんでしたが、三人のお客様に十分ほどエラー画面が表示されました。",
    "検索機能は日本語の文章にも対応する必要があります。結果が見つからない場合は、どの範囲を検索したのかを明確に伝えてください。" +
    "ラベルの住所が長いときは、文字数で折り返します。",
  ],
  "Korean": [
    "리프레시 토큰은 사용할 때마다 교체하고, 이전 토큰이 다시 사용되면 해당 토큰 계열 전체를 폐기합니다. " +
    "이렇게 하면 유출된 토큰을 즉시 알아차릴 수 있습니다.",
    "배포가 실패한 이유는 새 열에 기본값이 설정되기 전에 마이그레이션이 실행되었기 때문입니다. 버전을 되돌린 다음 " +
    "기본값을 먼저 추가하고 다음 날 아침에 다시 배포했습니다. 데이터 손실은 없었지만 고객 세 명이 약 십 분 동안 오류 화면을 보았습니다.",
    "검색 기능은 한국어 문장도 지원해야 합니다. 결과가 없으면 어떤 범위를 검색했는지 분명하게 알려 주어야 합니다. " +
    "주소가 긴 경우에는 글자 수를 기준으로 줄을 바꿉니다.",
  ],
  "Greek": [
    "Αποφασίσαμε να ανανεώνουμε τα διακριτικά σε κάθε χρήση και να ανακαλούμε ολόκληρη την " +
    "οικογένεια όταν χρησιμοποιηθεί ξανά ένα παλιό. Η εγκατάσταση απέτυχε επειδή η μετεγκατάσταση " +
    "εκτελέστηκε πριν η στήλη αποκτήσει προεπιλεγμένη τιμή. Δεν χάθηκαν δεδομένα.",
  ],
  "Hebrew": [
    "החלטנו לחדש את האסימונים בכל שימוש ולבטל את כל המשפחה כאשר אסימון ישן נמצא שוב בשימוש. " +
    "הפריסה נכשלה כי ההגירה רצה לפני שלעמודה החדשה היה ערך ברירת מחדל. שום נתון לא אבד.",
  ],
  "Arabic": [
    "قررنا تجديد الرموز عند كل استخدام وإلغاء العائلة بأكملها عند استخدام رمز قديم مرة أخرى. " +
    "فشل النشر لأن الترحيل بدأ قبل أن يكون للعمود الجديد قيمة افتراضية. لم نفقد أي بيانات.",
  ],
  "Thai": [
    "เราตัดสินใจเปลี่ยนโทเค็นทุกครั้งที่ใช้งาน และเพิกถอนทั้งชุดเมื่อมีการใช้โทเค็นเก่าอีกครั้ง " +
    "การติดตั้งล้มเหลวเพราะการย้ายข้อมูลทำงานก่อนที่คอลัมน์ใหม่จะมีค่าเริ่มต้น ไม่มีข้อมูลสูญหาย",
  ],
  "Amharic": ["ቶከኖችን በእያንዳንዱ አጠቃቀም ለመለወጥ እና አሮጌው ቶከን እንደገና ሲጠቀም መላውን ቤተሰብ ለመሰረዝ ወስነናል።"],
};

for (const [kind, samples] of Object.entries(texts)) {
  Deno.test(`countTokens() is close to the real tokenizer on ${kind}`, () => {
    const text = samples.join("\n\n");
    const exact = countExactly(text);
    const error = countTokens(text) / exact - 1;
    assert.ok(
      Math.abs(error) <= 0.1,
      `${countTokens(text)} instead of ${exact}: ${(error * 100).toFixed(1)} %`,
    );
  });
}

Deno.test("countTokens() is within 3 % of the real tokenizer on ids as every line begins with them", () => {
  const ids = Array.from(
    { length: 300 },
    (_, n) => `- [${makeId("H", Date.UTC(2026, 0, 1) + n * 90_000_000, `seed ${n}`)}] pin: yes`,
  );
  const exact = countExactly(ids.join("\n"));
  assert.ok(Math.abs(countTokens(ids.join("\n")) / exact - 1) <= 0.03);
  const off = ids.map((id) => Math.abs(countTokens(id) / countExactly(id) - 1));
  assert.ok(off.reduce((sum, one) => sum + one) / off.length <= 0.05, `${Math.max(...off)}`);
});

Deno.test("countTokens() of nothing is nothing, and more text never has fewer tokens", () => {
  assert.equal(countTokens(""), 0);
  const words = texts["English prose"].join(" ").split(" ");
  let before = 0;
  for (let n = 1; n <= words.length; n++) {
    const count = countTokens(words.slice(0, n).join(" "));
    assert.ok(count >= before, `${n} words`);
    before = count;
  }
});
