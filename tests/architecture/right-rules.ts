/** Permissions are checked by `can`, rows by the scope. */
import ts from "typescript";
import { type Breach, type Rule, isCode, isDemo, isTest, lineOf, parse } from "./source-text";

const roleNames = new Set(["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"]);
/** Files that store or look up roles without deciding by them. */
const rolesAsData = new Set([
  "app/config/sign-in-settings.server.ts",
  "app/features/accounts/create-account.server.ts",
  "app/features/accounts/external-identity-store.server.ts",
  "app/features/directory/store.server.ts",
  "app/features/help/read-help.server.ts",
  "app/features/people/role-names.ts",
]);
const asksAList = new Set(["includes", "some", "every", "find", "filter", "indexOf", "has"]);

/** Only `app/access` decides by role: elsewhere it would be a right outside the matrix. */
export const rolesStayInAccess: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) =>
        isCode(file) && !isTest(file) && file.startsWith("app/") && !file.startsWith("app/access/") && !isDemo(file),
    )
    .flatMap((source) => {
      const tree = parse(source);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        const isRole = ts.isStringLiteralLike(node) && roleNames.has(node.text) && !rolesAsData.has(source.path);
        const isQuestion =
          ts.isPropertyAccessExpression(node) &&
          asksAList.has(node.name.text) &&
          /(^|\.)roles\??$/.test(node.expression.getText(tree));
        if (isRole || isQuestion)
          breaches.push({
            path: source.path,
            line: lineOf(tree, node),
            why: `${node.getText(tree)}: ask can(actor, permission), never for a role`,
          });
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });

/** Scoped ids come from a query; a cast would hand any number to a store. */
export const scopedIdsAreFound: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && file !== "app/access/scope.server.ts")
    .flatMap((source) => {
      if (!source.text.includes("Scoped")) return [];
      const tree = parse(source);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isAsExpression(node) && /\bScoped(ReferralId\b|<)/.test(node.type.getText(tree)))
          breaches.push({
            path: source.path,
            line: lineOf(tree, node),
            why: "ask inScope() or trustedReferral() for it",
          });
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });
