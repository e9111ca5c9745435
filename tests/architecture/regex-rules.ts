import { check } from "recheck";
import ts from "typescript";
import { type Breach, isTest, lineOf, parse, type Rule, type SourceText } from "./source-text";

/**
 * Regular expressions must take linear time, or one request could block everybody.
 * https://makenowjust-labs.github.io/recheck/ judges each.
 */

// The other backends start a program from their package.
process.env.RECHECK_BACKEND = "pure";

/** An undecided expression counts as a breach: simplify it or list it. */
const TIMEOUT_MS = 60_000;

/** Possibly slow expressions with the limit of their input. */
export const exceptions: Readonly<Record<string, string>> = {
  [String.raw`\B(?=(\d{3})+$)`]: "the digits of a number: 25 at most",
  [String.raw`^[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']`]: "the first 200 bytes of a file",
  [String.raw`(\b(?:engangs)?koden?\b\D{0,20})\d{4,10}`]: "its own repetitions: 30 signs at most after each 'kode'",
  [String.raw`(?: jeg| vi)? (?:kan|kunne|kommer|når|har)(?: [\p{L}\p{M}]+){0,3} ikke(?= )(?: komme| nå| deltage| være| mulighed)?| ikke (?:komme|nå|deltage|mulighed)(?= )`]:
    "an SMS of 200 characters at most",
  [String.raw` (?:kan|kunne|kommer|når|vil|tør|passer|orker|magter)(?: [\p{L}\p{M}]+){0,4} (?:ikke|ik|alligevel ikke) `]:
    "an SMS of 5,000 characters at most, with one blank between two words: each part matches in one way",
};

interface Expression {
  source: string;
  flags: string;
  path: string;
  line: number;
}

const isChecked = ({ path }: SourceText) =>
  /^((app|db|scripts)\/.*\.(tsx?|mjs)|server\.ts)$/.test(path) && !isTest(path);

/** Regex literals, and `RegExp` with constant text. */
export function expressionsIn(source: SourceText): Expression[] {
  if (!isChecked(source)) return [];
  const tree = parse(source);
  const found: Expression[] = [];
  const visit = (node: ts.Node) => {
    const written = writtenIn(node);
    if (written !== null) found.push({ ...written, path: source.path, line: lineOf(tree, node) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function writtenIn(node: ts.Node): { source: string; flags: string } | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const [pattern, flags] = argumentsOfRegExp(node) ?? [];
  if (pattern === undefined || !ts.isStringLiteralLike(pattern)) return null;
  return { source: pattern.text, flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "" };
}

/** Arguments of `RegExp(…)`, with or without `new` or a global object; otherwise null. */
function argumentsOfRegExp(node: ts.Node): readonly ts.Expression[] | null {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null;
  const made = node.expression;
  const name = ts.isPropertyAccessExpression(made) ? made.name : made;
  return ts.isIdentifier(name) && name.text === "RegExp" ? (node.arguments ?? []) : null;
}

/** Expressions built from values cannot be judged beforehand, so they are not allowed. */
export const expressionsAreWrittenOut: Rule = (sources) =>
  sources.filter(isChecked).flatMap((source) => {
    const tree = parse(source);
    const breaches: Breach[] = [];
    const visit = (node: ts.Node) => {
      const given = argumentsOfRegExp(node);
      const isWritten =
        given?.[0] !== undefined && (ts.isStringLiteralLike(given[0]) || ts.isRegularExpressionLiteral(given[0]));
      if (given !== null && !isWritten)
        breaches.push({ path: source.path, line: lineOf(tree, node), why: "a regular expression is made of values" });
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return breaches;
  });

/** Without repetition there is only one way to match. */
const mayBeSlow = ({ source }: Expression) => /[*+{]/.test(source);

/** Expressions of more than linear or unknown time. */
export async function slowExpressions(sources: readonly SourceText[]): Promise<Breach[]> {
  const bySource = new Map<string, Expression[]>();
  for (const expression of sources.flatMap(expressionsIn)) {
    const key = `/${expression.source}/${expression.flags}`;
    bySource.set(key, [...(bySource.get(key) ?? []), expression]);
  }
  const breaches: Breach[] = [];
  for (const [key, places] of bySource) {
    const [{ source, flags }] = places as [Expression];
    if (!mayBeSlow(places[0]!) || source in exceptions) continue;
    // A fixed seed, because the checker tries random texts.
    const result = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
    if (result.status === "safe") continue;
    const why = `${key} ${result.status === "vulnerable" ? result.complexity.summary : "unknown"}`;
    breaches.push(...places.map(({ path, line }) => ({ path, line, why })));
  }
  return breaches;
}
