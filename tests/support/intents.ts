import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Argument with the operations; for patient pages the link's purpose precedes it. */
const givenAt: Record<string, number> = { runCommand: 1, runLinkCommand: 2 };

/** Intents of each route's action, read from its source: the keys passed to `runCommand`. */
export function intentsOfRoutes(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const folder of readdirSync("app/routes")) {
    const file = path.join("app/routes", folder, "route.tsx");
    const source = readdirSync(path.join("app/routes", folder)).includes("route.tsx") ? readFileSync(file, "utf8") : "";
    const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    const visit = (node: ts.Node) => {
      const place = ts.isCallExpression(node) ? givenAt[node.expression.getText(tree)] : undefined;
      if (ts.isCallExpression(node) && place !== undefined) found[folder] = keysOf(tree, folder, node.arguments[place]);
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

function keysOf(tree: ts.SourceFile, folder: string, given: ts.Expression | undefined): string[] {
  if (!given || !ts.isObjectLiteralExpression(given))
    throw new Error(`${folder}: runCommand is given no object of operations`);
  return given.properties.map((property) => {
    if (!property.name) throw new Error(`${folder}: an intent must stand in the object by its name`);
    return ts.isStringLiteral(property.name) ? property.name.text : property.name.getText(tree);
  });
}
