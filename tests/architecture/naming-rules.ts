import { commentsOf, type Rule, isCode, isTest, importsOf, withoutExtension } from "./source-text";

const drawers = new Set(["util", "utils", "helper", "helpers", "misc", "common", "lib", "shared"]);

export const thingsHaveNames: Rule = (sources) =>
  sources.flatMap(({ path: file }) => {
    const drawer = file.split("/").find((part) => drawers.has(part.replace(/\..*$/, "").toLowerCase()));
    return drawer ? [{ path: file, line: 1, why: `'${drawer}' is a drawer, not a name` }] : [];
  });

/** Comments cite documents of the repository only. */
export const citationsLieHere: Rule = (sources) =>
  sources
    .filter(({ path: file }) => /\.(tsx?|mjs|cjs|css)$/.test(file) && !file.startsWith("tests/architecture"))
    .flatMap(({ path: file, text }) =>
      text.split("\n").flatMap((line, index) => {
        const cited =
          /\bspecifications?\b|\b(?:the|a) spec\b|(?<!docs\/)\bdesign\/|\b(?:look|second|decisions|quality|platform|integrations|names)\.md|(?<!RFC \d+ )§ ?\d/i.exec(
            line,
          )?.[0];
        return cited
          ? [{ path: file, line: index + 1, why: `'${cited}' does not lie in the repository: say the rule itself` }]
          : [];
      }),
    );

const MAX_LINES = 400;
/** Tables of data, whose length is not complexity. */
const tablesOfData =
  /^tailwind\.config\.ts$|^app\/demo\/content\/.+\.ts$|^tests\/(support\/(forms|operations)|http\/api\/trials)\.ts$/;

export const filesStayShort: Rule = (sources) =>
  sources
    .filter(({ path: file }) => (isCode(file) || file.endsWith(".css")) && !tablesOfData.test(file))
    .flatMap(({ path: file, text }) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > MAX_LINES
        ? [
            {
              path: file,
              line: MAX_LINES + 1,
              why: `${lines} lines; a file has at most ${MAX_LINES}: part it by what it is about`,
            },
          ]
        : [];
    });

const MAX_TITLE = 80;
/** Title of a test, also of `test.each`. */
const title = /(?:\b(?:test|it)(?:\.\w+)*|\))\(\s*"((?:[^"\\]|\\.)*)",/g;

export const titlesStayShort: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isTest(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(title)]
        .filter(([, words]) => words!.length > MAX_TITLE)
        .map((found) => ({
          path: file,
          line: text.slice(0, found.index).split("\n").length,
          why: `a title of ${found[1]!.length} characters; at most ${MAX_TITLE}: condition and outcome`,
        })),
    );

const MAX_COMMENT = 520;
/** Phrases without a subject that a new reader can name; each has a plain word (docs/code-style.md). */
const riddle =
  /\b(stands? (?:in|there|beside)|(?:is|are) told|whoever|nobody's|leads to|lets? go|those alone|is said)\b/i;
/** Ports and programs whose comment is their manual. */
const manuals = new Set(["app/gateways/sending/port.ts", "app/demo/content/people.server.ts"]);

/** A comment is understood at the first reading. */
export const commentsArePlain: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !file.startsWith("tests/architecture"))
    .flatMap((source) =>
      commentsOf(source).flatMap(({ text, line }) => {
        const found = riddle.exec(text.replace(/\s*\n\s*(?:\*|\/\/)? ?/g, " "))?.[0];
        if (found) return [{ path: source.path, line, why: `'${found}': say who does what (docs/code-style.md)` }];
        return text.length > MAX_COMMENT && !manuals.has(source.path)
          ? [{ path: source.path, line, why: `a comment of ${text.length} characters; at most ${MAX_COMMENT}` }]
          : [];
      }),
    );

export const migrationsAreListed: Rule = (sources) => {
  const index = sources.find(({ path: file }) => file === "db/migrations/index.ts");
  const listed = new Set(index ? importsOf(index).map(({ target }) => target) : []);
  return sources
    .map(({ path: file }) => file)
    .filter(
      (file) =>
        /^db\/migrations\/[^/]+$/.test(file) && isCode(file) && !isTest(file) && file !== "db/migrations/index.ts",
    )
    .filter((file) => !listed.has(withoutExtension(file)))
    .map((file) => ({
      path: file,
      line: 1,
      why: "db/migrations/index.ts does not list it; a bundle cannot scan a folder",
    }));
};

const machinePaths = new RegExp(
  ["work", "farm", "Users/\\w+", "home/(?!node\\b)\\w+"].map((name) => `(?<![\\w.~@*-])/${name}/`).join("|"),
);

export const namesNoMachine: Rule = (sources) =>
  sources.flatMap(({ path: file, text }) =>
    text.split("\n").flatMap((line, index) => {
      const found = machinePaths.exec(line);
      return found ? [{ path: file, line: index + 1, why: `'${found[0]}' is a path of one machine` }] : [];
    }),
  );
