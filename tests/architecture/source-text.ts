import path from "node:path";
import ts from "typescript";

/** `path` starts at the project's root, with forward slashes. */
export interface SourceText {
  path: string;
  text: string;
}

export interface Breach {
  path: string;
  line: number;
  why: string;
}

export type Rule = (sources: SourceText[]) => Breach[];

export interface Import {
  /** A path from the root without extension (`app/ui/forms/button`), or a package name. */
  target: string;
  typeOnly: boolean;
  line: number;
}

export const isCode = (file: string) => /\.(ts|tsx|mts)$/.test(file) && !file.endsWith(".d.ts");
export const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("tests/");
/** A program beside the portal, which acts as every person and writes what takes years to come about. */
export const isDemo = (file: string) => file.startsWith("app/demo/");
export const isRoute = (file: string) => file.startsWith("app/routes/") || /^app\/root\.tsx$/.test(file);
export const isServerOnly = (target: string) => /\.server(\.|\/|$)/.test(target);
export const isStore = (target: string) => /(-store|\/store)\.server$/.test(target);
/** First folder of a path below `app`, or of the root: `area("app/features/referrals/model/status")` is `features`. */
export const area = (target: string) =>
  target.startsWith("app/") ? (target.split("/")[1] ?? "") : (target.split("/")[0] ?? "");
export const featureOf = (target: string) => (target.startsWith("app/features/") ? target.split("/")[2] : undefined);
export const routeOf = (target: string) => (target.startsWith("app/routes/") ? target.split("/")[2] : undefined);
export const isOurs = (target: string) => /^(app|db|tests|scripts|public)\//.test(target) || target === "server";

export function importsOf(source: SourceText): Import[] {
  const tree = parse(source);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      found.push({ target: resolve(source.path, specifier.text), typeOnly, line: lineOf(tree, specifier) });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export function isTypeImport({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return (
    !clause.name &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}

/** Local names of imports of these names from a module. */
export function namesImportedFrom(
  tree: ts.SourceFile,
  file: string,
  isModule: (target: string) => boolean,
  names: string[],
): Set<string> {
  const found = new Set<string>();
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings) || !isModule(resolve(file, statement.moduleSpecifier.text))) continue;
    for (const element of bindings.elements)
      if (names.includes((element.propertyName ?? element.name).text)) found.add(element.name.text);
  }
  return found;
}

export function resolve(from: string, specifier: string): string {
  if (specifier.startsWith("~/")) return withoutExtension(`app/${specifier.slice(2)}`);
  if (specifier.startsWith("~db/")) return withoutExtension(`db/${specifier.slice(4)}`);
  if (specifier.startsWith(".")) return withoutExtension(path.posix.join(path.posix.dirname(from), specifier));
  return specifier;
}

export const withoutExtension = (file: string) => file.replace(/\.(tsx?|mts|jsx?|mjs)$/, "");
export const lineOf = (tree: ts.SourceFile, node: ts.Node) =>
  tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

const trees = new WeakMap<SourceText, ts.SourceFile>();
export function parse(source: SourceText): ts.SourceFile {
  const known = trees.get(source);
  if (known) return known;
  const kind = source.path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true, kind);
  trees.set(source, tree);
  return tree;
}

export function callsIn(node: ts.Node): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (each: ts.Node) => {
    if (ts.isCallExpression(each)) found.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

/** `portal.cache.invalidate(x)` is called on `portal.cache` with the name `invalidate`. */
export function calledOn(tree: ts.SourceFile, { expression }: ts.CallExpression): [string, string] {
  return ts.isPropertyAccessExpression(expression)
    ? [expression.expression.getText(tree), expression.name.text]
    : ["", expression.getText(tree)];
}

export function isInside(tree: ts.SourceFile, node: ts.Node, name: string): boolean {
  for (let each = node.parent; each; each = each.parent)
    if (ts.isCallExpression(each) && calledOn(tree, each)[1] === name) return true;
  return false;
}

/** Comments of a file; lines that follow each other are one comment. `line` counts from 1. */
export function commentsOf(source: SourceText): { text: string; line: number }[] {
  const tree = parse(source);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const parts = node
      .getChildren(tree)
      .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
    if (parts.length > 0) return parts.forEach(visit);
    if (node.kind === ts.SyntaxKind.JsxText) return;
    for (const range of [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.end) ?? []),
    ])
      ranges.set(range.pos, range);
  };
  visit(tree);
  const found: { text: string; line: number; end: number }[] = [];
  for (const { pos, end, kind } of [...ranges.values()].sort((one, other) => one.pos - other.pos)) {
    const text = source.text.slice(pos, end);
    const before = found.at(-1);
    const isNextLine = before !== undefined && /^\r?\n[ \t]*$/.test(source.text.slice(before.end, pos));
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia && isNextLine && before.text.startsWith("//")) {
      before.text += `\n${text}`;
      before.end = end;
    } else found.push({ text, line: tree.getLineAndCharacterOfPosition(pos).line + 1, end });
  }
  return found.map(({ text, line }) => ({ text, line }));
}
