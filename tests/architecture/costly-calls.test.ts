import { expect, test } from "vitest";
import { boundedIn, costlyCallsAreBounded, costlyUses } from "./costly-calls";
import { committed, describeRule } from "./describe-rule";

describeRule("costly natives run in modules that limit the length", costlyCallsAreBounded, {
  bad: {
    "app/a.ts#punycode": "url.domainToASCII(typed)",
    "app/a.ts#another name": 'import { domainToUnicode as show } from "node:url"',
    "app/a.ts#address": "new URL(typed)",
    "app/a.ts#canParse": "URL.canParse(typed)",
    "db/a.ts#alias": "const Address = URL",
    "app/a.ts#zod": "z.url()",
    "app/a.ts#normalize": 'typed.normalize("NFD")',
    "app/a.ts#pdf": 'import { newPdf } from "~/files/pdf/printable.server"',
  },
  good: {
    "app/a.ts#own address": "new URL(request.url); new URL(args.request.url).searchParams",
    "app/a.ts#type": "const address: URL = given; const file = URL.createObjectURL(blob); const { url } = request;",
    "app/a.test.ts": "new URL(typed)",
  },
});

test("each listed module uses one", () => {
  const using = new Set(committed.flatMap(costlyUses).map(({ path }) => path));
  expect(Object.keys(boundedIn).filter((path) => !using.has(path))).toEqual([]);
});
