import { describe, expect, test } from "vitest";
import { committed, describeRule, sourceAt } from "./describe-rule";
import * as rules from "./naming-rules";

describeRule("files stay short", rules.filesStayShort, {
  bad: {
    "app/text/dates.ts": "const x = 1;\n".repeat(401),
    "app/text/dates.test.ts": "const x = 1;\n".repeat(401),
    "app/styles/kit/lists.css": ".a {}\n".repeat(401),
  },
  good: {
    "app/text/dates.ts": "const x = 1;\n".repeat(400),
    "app/demo/content/people.server.ts": "const x = 1;\n".repeat(401),
  },
});

describeRule("titles of tests stay short", rules.titlesStayShort, {
  bad: {
    "app/text/cpr.test.ts": `test("${"a".repeat(81)}", () => {});`,
    "app/text/cpr.test.ts#each": `test.each([1])(\n  "${"a".repeat(81)}",\n  () => {},\n);`,
    "tests/e2e/cpr.spec.ts": `test.describe("${"a".repeat(81)}", () => {});`,
  },
  good: {
    "app/text/cpr.test.ts": `test("${"a".repeat(80)}", () => {});\nexpect(["${"a".repeat(90)}"]).toEqual([]);`,
  },
});

describeRule("things have names", rules.thingsHaveNames, {
  bad: {
    "app/utils/date.ts": "",
    "app/features/referrals/helpers.ts": "",
    "tests/common/x.ts": "",
    "app/lib/x.ts": "",
    "db/misc.server.ts": "",
  },
  good: { "app/text/dates.ts": "", "app/features/directory/library-card.ts": "" },
});

describeRule("comments cite what lies in the repository", rules.citationsLieHere, {
  bad: {
    "app/text/cpr.ts#section": `/** Ten digits (specification 1 §4). */`,
    "app/text/cpr.ts#bare": `// As told (1 §4).`,
    "app/text/cpr.ts#whole": `/** The sentence that the specification gives. */`,
    "app/text/cpr.test.ts#title": `test("sizes are the specification's", () => {});`,
    "app/text/cpr.ts#spec": `// As the spec has it.`,
    "app/text/cpr.ts#folder": `// See design/ for the colours.`,
    "app/styles/kit/base.css": `/* design/look.md, rule 9 */`,
    "app/ui/lists/chip.tsx": `/** One file (look.md, rule 12). */`,
  },
  good: {
    "app/text/cpr.ts": `/** As the law on CPR says (docs/rules/statuses.md), in one range (RFC 9110 §14). */`,
    "scripts/test.mjs": `// Retried in accounts.spec.ts.\nconst tests = specs.flatMap((spec) => spec.tests);`,
  },
});

describe("every migration is listed", () => {
  const migration = sourceAt("db/migrations/2026_11_21_0900_people.ts", "");
  const index = (text: string) => sourceAt("db/migrations/index.ts", text);
  test("holds", () => {
    expect(rules.migrationsAreListed(committed)).toEqual([]);
  });
  test("bites", () => {
    expect(rules.migrationsAreListed([migration, index("export const migrations = {};")])).toHaveLength(1);
  });
  test("lets pass", () => {
    expect(
      rules.migrationsAreListed([
        migration,
        sourceAt("db/migrations/initial/people.ts", ""),
        index(`import * as people from "./2026_11_21_0900_people";`),
      ]),
    ).toEqual([]);
  });
});

const one = ["", "work", "main"].join("/");
describeRule("no committed text names one machine's paths", rules.namesNoMachine, {
  bad: {
    "docs/a.md": `See ${one}/app.`,
    "scripts/a.mjs": `readFile("${one}/x")`,
    "docs/b.md": ["", "home", "kim", "portal"].join("/"),
    "docs/c.md": ["", "Users", "kim", "portal"].join("/"),
  },
  good: {
    "docs/a.md": `https://www.eksempel.dk${one}/x and frame${one.slice(1)}, .${one}/x, /app and /data; POST /${"Users"}/quick-profile`,
    Dockerfile: ["", "home", "node", "app"].join("/"),
  },
});

describeRule("comments are plain and short", rules.commentsArePlain, {
  bad: {
    "app/text/dates.ts": `/** What a list leads to. */\nexport const x = 1;`,
    "app/text/dates.ts#line": `// Whoever asks first.\nexport const x = 1;`,
    "app/text/dates.ts#long": `/** ${"Too long. ".repeat(60)} */\nexport const x = 1;`,
  },
  good: {
    "app/text/dates.ts": `/** Copenhagen date, \`YYYY-MM-DD\`. */\nexport const x = "whoever leads to";`,
  },
});
