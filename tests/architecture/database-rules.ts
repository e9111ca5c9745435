import ts from "typescript";
import { flagNames } from "~db/names.server";
import {
  type Breach,
  type Rule,
  isCode,
  isTest,
  isStore,
  namesImportedFrom,
  isDemo,
  lineOf,
  parse,
  callsIn,
  calledOn,
  isInside,
} from "./source-text";

const beginsStatement = new Set(["selectFrom", "insertInto", "updateTable", "deleteFrom", "replaceInto", "mergeInto"]);
const holdsSql = (file: string) =>
  /(-store|\/store|-list|\/filter-sql)\.server\.ts$/.test(file) || file.startsWith("app/lists/") || isDemo(file);

/** SQL is written in stores only, so that a change of a table finds its statements there. */
export const sqlStandsInStores: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/") && !holdsSql(file))
    .flatMap((source) => {
      const tree = parse(source);
      const raw = namesImportedFrom(tree, source.path, (target) => target === "kysely", ["sql", "CompiledQuery"]);
      const insert = namesImportedFrom(tree, source.path, (target) => target === "db/connection.server", [
        "insertUnlessThere",
      ]);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        const isStatement =
          (ts.isPropertyAccessExpression(node) && beginsStatement.has(node.name.text)) ||
          (ts.isTaggedTemplateExpression(node) && raw.has(node.tag.getText(tree))) ||
          (ts.isPropertyAccessExpression(node) && raw.has(node.expression.getText(tree))) ||
          (ts.isCallExpression(node) && insert.has(node.expression.getText(tree)));
        if (isStatement)
          breaches.push({
            path: source.path,
            line: lineOf(tree, node),
            why: "SQL stands in stores (store.server.ts, …-store.server.ts), in a list's definition (…-list.server.ts, filter-sql.server.ts) and in app/lists",
          });
        else ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });

/** Cleanup in many short transactions, from an operation that runs outside one. */
const ownTransactions = new Set([
  "app/files/staging/staged-upload-store.server.ts",
  "app/features/maintenance/operations.server.ts",
  "app/features/statistics/page-views.server.ts",
]);

export const operationsOwnTransactions: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && /^app\/(features|http|routes)\//.test(file))
    .flatMap((source) => {
      const tree = parse(source);
      const begins = ownTransactions.has(source.path)
        ? new Set<string>()
        : namesImportedFrom(tree, source.path, (target) => target === "db/connection.server", ["inTransaction"]);
      return callsIn(tree).flatMap((call) => {
        const [object, name] = calledOn(tree, call);
        if (object === "" && begins.has(name))
          return [
            { path: source.path, line: lineOf(tree, call), why: "a transaction is an operation's: execute() one" },
          ];
        return /(^|\.)audit$/.test(object)
          ? [
              {
                path: source.path,
                line: lineOf(tree, call),
                why: "the audit row is the operation's: auditRead(), auditChange()",
              },
            ]
          : [];
      });
    });

/** A cache invalidated before the commit may be filled with old data again. */
export const cachesFollowTheCommit: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/"))
    .flatMap((source) => {
      const tree = parse(source);
      return callsIn(tree)
        .filter((call) => {
          const [object, name] = calledOn(tree, call);
          return /(^|\.)cache$/.test(object) && name === "invalidate" && !isInside(tree, call, "afterCommit");
        })
        .map((call) => ({
          path: source.path,
          line: lineOf(tree, call),
          why: "caches are invalidated by afterCommit()",
        }));
    });

const nameOf = (column: string) => column.split(".").at(-1)!;

/**
 * A row's flags are known by their names, so a flag keeps its name and no other value has one
 * (docs/rules/database.md#rows).
 */
export const flagsKeepTheirNames: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) => isCode(file) && /^(app|db|tests)\//.test(file) && !file.startsWith("tests/architecture/"),
    )
    .flatMap((source) => {
      const tree = parse(source);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        const [, from = "", alias = ""] = (ts.isStringLiteral(node) && /^([\w.]+) as (\w+)$/.exec(node.text)) || [];
        const [given] = ts.isCallExpression(node) && calledOn(tree, node)[1] === "as" ? node.arguments : [];
        const isRenamed = flagNames.has(nameOf(from)) !== flagNames.has(alias);
        if (isRenamed || (given && ts.isStringLiteral(given) && flagNames.has(given.text)))
          breaches.push({
            path: source.path,
            line: lineOf(tree, node),
            why: "a flag, and nothing else, has a flag's name",
          });
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });

/** Drafts, waiting or withdrawn messages, leases and log lines without a status are not counted. */
const uncounted = new Set([
  "insertDraft",
  "hideDraft",
  "restoreDraftRow",
  "purgeDraft",
  "markHandedOver",
  "outboxIn",
  "claimMessage",
  "logDelivery",
]);
const countedTable =
  /\b(updateTable|insertInto|deleteFrom)\("(referral|visitAppointment|appointmentAnswer|visitLog|outbox|materialLine)"\)/;
const countedColumn =
  /\b(status|statusSince|referrerId|clinicId|treatmentTypeId|operationDate|heldUntil|cancellationDate|isTest|deletedAt|sentAt|referenceType|outcome|isCancelled|undoneAt)(:|,\n| \})|\.set\(set\)|\.values\(/;

/**
 * Store functions that write counted columns mark the rows, so that the statistics follow (docs/rules/statistics.md).
 */
export const countedRowsAreMarked: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/features/") && isStore(file.replace(/\.ts$/, "")))
    .flatMap((source) => {
      const tree = parse(source);
      return tree.statements.flatMap((statement) => {
        const text = statement.getText(tree);
        const isMarked = /\bmark(Referrals|Messages|Logged)\(/.test(text);
        const name = ts.isFunctionDeclaration(statement) ? (statement.name?.text ?? "") : "";
        return countedTable.test(text) && countedColumn.test(text) && !isMarked && !uncounted.has(name)
          ? [
              {
                path: source.path,
                line: lineOf(tree, statement),
                why: "what is counted is marked: markReferrals(), markMessages()",
              },
            ]
          : [];
      });
    });
