/** What may know what (docs/architecture.md), as functions over source text: each returns its breaches. */
import { builtinModules } from "node:module";
import path from "node:path";
import ts from "typescript";

/** `path` counts from the project's root, with forward slashes. */
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

interface Import {
  /** A path from the root without extension (`app/ui/forms/button`), or a package as it is written. */
  target: string;
  typeOnly: boolean;
  line: number;
}

const isCode = (file: string) => /\.(ts|tsx|mts)$/.test(file) && !file.endsWith(".d.ts");
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("tests/");
const isRoute = (file: string) => file.startsWith("app/routes/") || /^app\/root\.tsx$/.test(file);
const isServerOnly = (target: string) => /\.server(\.|\/|$)/.test(target);
const isStore = (target: string) => target.endsWith("-store.server");
/** The first folders of a path: `area("app/features/referrals/model/status")` is `features`; `db/schema` is in `db`. */
const area = (target: string) =>
  target.startsWith("app/") ? (target.split("/")[1] ?? "") : (target.split("/")[0] ?? "");
const featureOf = (target: string) => (target.startsWith("app/features/") ? target.split("/")[2] : undefined);
const routeOf = (target: string) => (target.startsWith("app/routes/") ? target.split("/")[2] : undefined);
const isOurs = (target: string) => /^(app|db|tests|scripts|public)\//.test(target) || target === "server";

// ---- who may import whom ----

export const routesKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/routes/"),
  (file, { target }) => {
    if (area(target) === "db" || /^(kysely|libsql|mysql2)\b/.test(target))
      return "a route never knows the database: call an operation";
    if (isStore(target)) return "a route never knows a store: call an operation";
    if (area(target) === "gateways") return "a route never knows a gateway: call an operation";
    if (!isOurs(target) || /\.(css|svg)$/.test(target)) return undefined;
    if (
      ["http", "lists", "features", "components", "ui", "text"].includes(area(target)) ||
      (area(target) === "files" && !isServerOnly(target)) ||
      (area(target) === "routes" && routeOf(target) === routeOf(file)) ||
      ["app/paths", "app/access/permissions"].includes(target)
    )
      return undefined;
    return "a route knows its own folder, http, lists, features, components, files' pure modules, access/permissions, paths, ui and text, nothing else of ours";
  },
);

export const featuresKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/features/"),
  (file, { target }) => {
    if (!isOurs(target)) return undefined;
    const other = featureOf(target);
    if (other !== undefined)
      return other !== featureOf(file) && isStore(target)
        ? "another feature's store is its own: call an operation of it"
        : undefined;
    if (area(target) === "gateways")
      return /^app\/gateways\/[^/]+\/port$/.test(target)
        ? undefined
        : "a feature knows a gateway's port, not its drivers";
    if (["db", "access", "lists", "files", "text"].includes(area(target))) return undefined;
    // Addresses for mails and the names of errors; what everything hangs on, and what it was told at the start.
    if (["app/paths", "app/http/errors", "app/portal.server", "app/config.server", "app/cache.server"].includes(target))
      return undefined;
    return "a feature knows db, access, lists, files, text, gateways' ports and other features' operations";
  },
);

export const gatewaysKnowNoFeature: Rule = importRule(
  (file) => file.startsWith("app/gateways/"),
  (_, { target }) =>
    ["features", "routes", "http", "ui"].includes(area(target)) && isOurs(target)
      ? "a gateway knows only its system: the caller hands it what it needs"
      : undefined,
);

export const listsKnowNoFeature: Rule = importRule(
  (file) => file.startsWith("app/lists/"),
  (_, { target }) =>
    isOurs(target) && ["features", "components", "routes", "gateways"].includes(area(target))
      ? "a list is defined by its feature: lists know none of them"
      : undefined,
);

export const filesKnowNoFeature: Rule = importRule(
  (file) => file.startsWith("app/files/"),
  (_, { target }) =>
    isOurs(target) && ["features", "components", "routes", "http", "ui"].includes(area(target))
      ? "what a file is does not depend on who keeps it: files know no feature"
      : undefined,
);

export const accessKnowsNoFeature: Rule = importRule(
  (file) => file.startsWith("app/access/"),
  (_, { target }) =>
    isOurs(target) && ["features", "components", "routes", "ui", "lists"].includes(area(target))
      ? "who may do what does not depend on what is done: access knows no feature"
      : undefined,
);

export const componentsKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/components/"),
  (_, { target }) =>
    isOurs(target) && (["db", "gateways", "routes"].includes(area(target)) || isStore(target))
      ? "a component is shared by routes: it knows none of them, no store, no database and no gateway"
      : undefined,
);

/** Features may know each other, but never in a circle: otherwise none of them can be understood by itself. */
export const featuresFormNoCircle: Rule = (sources) => {
  const edges = new Map<string, { to: string; path: string; line: number }[]>();
  for (const source of sources.filter(({ path: file }) => isCode(file) && !isTest(file))) {
    const from = featureOf(source.path);
    if (from === undefined) continue;
    for (const { target, line } of importsOf(source)) {
      const to = featureOf(target);
      if (to !== undefined && to !== from)
        edges.set(from, [...(edges.get(from) ?? []), { to, path: source.path, line }]);
    }
  }
  const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
    (edges.get(from) ?? []).some(({ to }) => to === wanted || (!seen.has(to) && reaches(to, wanted, seen.add(to))));
  return [...edges].flatMap(([from, targets]) =>
    targets
      .filter(({ to }) => reaches(to, from))
      .map(({ to, path: file, line }) => ({ path: file, line, why: `${from} and ${to} know each other in a circle` })),
  );
};

export const uiKnowsNothingAbove: Rule = importRule(
  (file) => file.startsWith("app/ui/"),
  (_, { target }) =>
    isOurs(target) && !["ui", "text", "styles"].includes(area(target))
      ? "ui knows nothing above it: pass it in as a property"
      : undefined,
);

const builtins = new Set(builtinModules);
const serverPackages =
  /^(zod|@conform-to\/zod|kysely|libsql|mysql2|express|busboy|sharp|pdfkit|nodemailer|pino|helmet|compression|ipaddr\.js|file-type|dcmjs|dcmjs-codecs|@node-rs\/argon2|remix-auth|@remix-run\/(node|express|serve))(\/|$)/;

/** A file without `.server` may reach a browser. Routes may import server code: Remix prunes what only their loaders use. */
export const pureFilesStayPure: Rule = importRule(
  (file) => file.startsWith("app/") && !isServerOnly(file) && !file.endsWith("-worker.ts"),
  (file, { target, typeOnly }) => {
    if (typeOnly) return undefined;
    if (/^(zod|@conform-to\/zod)(\/|$)/.test(target))
      return "zod costs a browser 93 KB: schemas live in .schema.server.ts";
    if (isRoute(file)) return undefined;
    if (target.startsWith("node:") || builtins.has(target)) return "Node's modules need a .server file";
    if (isOurs(target) && (isServerOnly(target) || area(target) === "db"))
      return "a file without .server cannot import one that has it";
    if (serverPackages.test(target)) return "a server's package needs a .server file";
    return undefined;
  },
);

// ---- names and sizes ----

const drawers = new Set(["util", "utils", "helper", "helpers", "misc", "common", "lib", "shared"]);

export const thingsHaveNames: Rule = (sources) =>
  sources.flatMap(({ path: file }) => {
    const drawer = file.split("/").find((part) => drawers.has(part.replace(/\..*$/, "").toLowerCase()));
    return drawer ? [{ path: file, line: 1, why: `'${drawer}' is a drawer, not a name` }] : [];
  });

/** What a comment may cite lies in the repository: a section of a document elsewhere says nothing to who reads the code. */
export const citationsLieHere: Rule = (sources) =>
  sources
    .filter(({ path: file }) => /\.(tsx?|mjs|cjs|css)$/.test(file) && !file.startsWith("tests/architecture"))
    .flatMap(({ path: file, text }) =>
      text.split("\n").flatMap((line, index) => {
        const cited =
          /\bspecification \d|(?<!docs\/)\bdesign\/[a-z]+|\b(?:look|second|decisions|quality|platform|integrations|names)\.md|(?<!RFC \d+ )§ ?\d/i.exec(
            line,
          )?.[0];
        return cited
          ? [{ path: file, line: index + 1, why: `'${cited}' does not lie in the repository: say the rule itself` }]
          : [];
      }),
    );

const MAX_ROUTE_LINES = 150;

export const routesAreShort: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) => /^app\/routes\/([^/]+\/)?route\.tsx?$|^app\/routes\/[^/]+\.tsx?$/.test(file) && !isTest(file),
    )
    .flatMap(({ path: file, text }) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > MAX_ROUTE_LINES
        ? [
            {
              path: file,
              line: MAX_ROUTE_LINES + 1,
              why: `${lines} lines; a route has at most ${MAX_ROUTE_LINES}: views go in files beside it`,
            },
          ]
        : [];
    });

// ---- operations, loaders and actions ----

export const operationsSayWhoMay: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/"))
    .flatMap((source) => {
      const tree = parse(source);
      const kinds = namesImportedFrom(tree, source.path, (target) => target === "app/access/operation.server", [
        "read",
        "change",
        "external",
      ]);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && kinds.has(node.expression.text)) {
          const [declaration] = node.arguments;
          const says =
            declaration !== undefined &&
            ts.isObjectLiteralExpression(declaration) &&
            declaration.properties.some(
              (property) => property.name !== undefined && property.name.getText(tree) === "permission",
            );
          if (!says)
            breaches.push({
              path: source.path,
              line: lineOf(tree, node),
              why: `${node.expression.text}() declares no permission`,
            });
        }
        ts.forEachChild(node, visit);
      };
      if (kinds.size > 0) visit(tree);
      return breaches;
    });

const runners = {
  page: "runPage",
  command: "runCommand",
  download: "runDownload",
  api: "runApi",
  receive: "runReceive",
  linkPage: "runLinkPage",
  linkCommand: "runLinkCommand",
  linkDownload: "runLinkDownload",
};

export const routesCallARunner: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isRoute(file) && isCode(file) && !isTest(file))
    .flatMap((source) => {
      const tree = parse(source);
      const known = namesImportedFrom(
        tree,
        source.path,
        (target) =>
          /^app\/http\/(runners\/(page|command|download|receive|patient-link)|api\/api)\.server$/.test(target),
        Object.values(runners),
      );
      return tree.statements
        .flatMap((statement) => loadersAndActions(tree, statement))
        .flatMap(({ name, node, arrow }) => {
          if (arrow === undefined)
            return [
              { path: source.path, line: lineOf(tree, node), why: `${name} is not an arrow function of this file` },
            ];
          return callsOneOf(arrow, known)
            ? []
            : [
                {
                  path: source.path,
                  line: lineOf(tree, node),
                  why: `${name} calls none of ${Object.values(runners).join(", ")}`,
                },
              ];
        });
    });

function loadersAndActions(
  tree: ts.SourceFile,
  statement: ts.Statement,
): { name: string; node: ts.Node; arrow?: ts.ArrowFunction }[] {
  const isOne = (name: string) => name === "loader" || name === "action";
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
    return statement.exportClause.elements
      .filter((element) => isOne(element.name.text))
      .map((element) => ({ name: element.name.text, node: element }));
  }
  const exported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
  if (!exported) return [];
  if (ts.isFunctionDeclaration(statement) && statement.name && isOne(statement.name.text))
    return [{ name: statement.name.text, node: statement }];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations
    .filter((declaration) => isOne(declaration.name.getText(tree)))
    .map((declaration) => {
      let value = declaration.initializer;
      while (
        value &&
        (ts.isSatisfiesExpression(value) || ts.isAsExpression(value) || ts.isParenthesizedExpression(value))
      )
        value = value.expression;
      return {
        name: declaration.name.getText(tree),
        node: declaration,
        arrow: value && ts.isArrowFunction(value) ? value : undefined,
      };
    });
}

function callsOneOf(node: ts.Node, names: Set<string>): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && names.has(node.expression.text)) return true;
  return ts.forEachChild(node, (child) => callsOneOf(child, names)) ?? false;
}

// ---- values, then words ----

const wordModules =
  /^app\/(text\/(dates|numbers)|features\/referrals\/(model\/(status|referral)|details\/describe-referral)|files\/file-rules|lists\/present-filter)$/;
const isWordFunction = (name: string) => /^(show|describe|present)[A-Z]|[lL]abel(Of)?$|^namedStatuses$/.test(name);
/** A document or message that leaves the house is written by its operation. */
const writesDocuments = /-mail\.server\.ts$|-pdf(-[a-z]+)*\.server\.ts$/;
const writesSentences = new Map([
  ["app/features/exports/download-export.server.ts", "the CSV file leaves the house"],
  ["app/features/statistics/download-statistics.server.ts", "the CSV file leaves the house"],
  ["app/features/patient-messages/patient-values.server.ts", "the words of a message leave the house"],
  ["app/features/parking/send-receipt.server.ts", "the words of a message leave the house"],
  ["app/features/freed-times/offer-time.server.ts", "the words of a message and of the log"],
  ["app/features/referrals/details/treatment-plan-lines.server.ts", "the log keeps sentences"],
  ["app/features/referrals/wizard/send-referral.server.ts", "the log keeps sentences"],
  ["app/features/referrals/status/set-status.server.ts", "a refusal and a confirmation say the status"],
  [
    "app/features/referrals/status/set-statuses.server.ts",
    "a refusal and a confirmation say the number and the status",
  ],
]);

/** Operations answer values, which a page and an API call share; a page's `present.ts` makes the words. */
export const operationsAnswerValues: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) =>
        /^app\/(features|lists|access|files)\/.+\.server\.ts$/.test(file) &&
        !isTest(file) &&
        !writesDocuments.test(file) &&
        !writesSentences.has(file),
    )
    .flatMap((source) => {
      const tree = parse(source);
      return tree.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
        const bindings = statement.importClause?.namedBindings;
        if (!ts.isStringLiteral(statement.moduleSpecifier) || isTypeImport(statement) || !bindings) return [];
        if (!wordModules.test(resolve(source.path, statement.moduleSpecifier.text))) return [];
        const names = ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text).filter(isWordFunction)
          : [bindings.name.text];
        return names.map((name) => ({
          path: source.path,
          line: lineOf(tree, statement),
          why: `${name} makes words: answer the value, and call it in the route's present.ts`,
        }));
      });
    });

// ---- SQL ----

const beginsStatement = new Set(["selectFrom", "insertInto", "updateTable", "deleteFrom", "replaceInto", "mergeInto"]);
/** A store; a list's definition, or the conditions of its filters; and what every list shares. */
const holdsSql = (file: string) =>
  /(-store|-list|\/filter-sql)\.server\.ts$/.test(file) || file.startsWith("app/lists/");

/** Whoever reads an operation reads its rules; whoever changes a table finds its statements in the stores. */
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
            why: "SQL stands in stores (…-store.server.ts), in a list's definition (…-list.server.ts, filter-sql.server.ts) and in app/lists",
          });
        else ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });

// ---- rights ----

const roleNames = new Set(["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"]);
/** Where a role is what is written or looked up, not what is decided by. */
const rolesAsData = new Set([
  "app/features/accounts/create-admin-account.server.ts",
  "app/features/accounts/quick-profile.server.ts",
  "app/features/directory/referrer-store.server.ts",
  "app/features/directory/surgeon-store.server.ts",
  "app/features/people/role-names.ts",
]);
const asksAList = new Set(["includes", "some", "every", "find", "filter", "indexOf", "has"]);

/** Whoever wants to know what somebody may asks `can`: a role that is named elsewhere is a right that the matrix does not show. */
export const rolesStayInAccess: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/") && !file.startsWith("app/access/"),
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

/** A scoped number is found, never claimed: a cast would hand any number to a store. */
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
            why: "ask inScope() or systemReferral() for it",
          });
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return breaches;
    });

// ---- transactions ----

/** Clearing away in many short transactions, from an operation that runs outside any. */
const ownTransactions = new Set([
  "app/files/staging/staged-upload-store.server.ts",
  "app/features/maintenance/purge-files.server.ts",
  "app/features/statistics/page-views.server.ts",
]);

/** A feature's transaction, and its audit row, are its operation's. */
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

/** A cache that is invalidated before the commit may be filled again with what was there before. */
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

/** They write drafts, messages that wait or are taken back, leases, and lines of the log without a status: none of it is counted. */
const uncounted = new Set([
  "insertDraft",
  "hideDraft",
  "restoreDraftRow",
  "deleteDraft",
  "markHandedOver",
  "outboxIn",
  "claimMessage",
  "logDelivery",
]);
const countedTable =
  /\b(updateTable|insertInto|deleteFrom)\("(referral|visit_appointment|appointment_answer|visit_log|outbox)"\)/;
const countedColumn =
  /\b(status|status_since|referrer_id|clinic_id|treatment_type_id|operation_date|cancellation_date|is_test|deleted_at|sent_at|reference_type|outcome|is_cancelled|undone_at)(:|,\n)|\.set\(set\)|\.values\(/;

/** A store function that writes what statistics count marks it, so that the sums follow (docs/rules/statistics.md). */
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

function callsIn(node: ts.Node): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (each: ts.Node) => {
    if (ts.isCallExpression(each)) found.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

/** `portal.cache.invalidate(x)` is called on `portal.cache`, by the name `invalidate`. */
function calledOn(tree: ts.SourceFile, { expression }: ts.CallExpression): [string, string] {
  return ts.isPropertyAccessExpression(expression)
    ? [expression.expression.getText(tree), expression.name.text]
    : ["", expression.getText(tree)];
}

function isInside(tree: ts.SourceFile, node: ts.Node, name: string): boolean {
  for (let each = node.parent; each; each = each.parent)
    if (ts.isCallExpression(each) && calledOn(tree, each)[1] === name) return true;
  return false;
}

// ---- migrations and committed text ----

export const migrationsAreListed: Rule = (sources) => {
  const index = sources.find(({ path: file }) => file === "db/migrations/index.ts");
  const listed = new Set(index ? importsOf(index).map(({ target }) => target) : []);
  return sources
    .map(({ path: file }) => file)
    .filter(
      (file) => file.startsWith("db/migrations/") && isCode(file) && !isTest(file) && file !== "db/migrations/index.ts",
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

/** For every committed text, code or not. */
export const namesNoMachine: Rule = (sources) =>
  sources.flatMap(({ path: file, text }) =>
    text.split("\n").flatMap((line, index) => {
      const found = machinePaths.exec(line);
      return found ? [{ path: file, line: index + 1, why: `'${found[0]}' is a path of one machine` }] : [];
    }),
  );

// ---- reading source text ----

function importRule(
  applies: (file: string) => boolean,
  judge: (file: string, imported: Import) => string | undefined,
): Rule {
  return (sources) =>
    sources
      .filter(({ path: file }) => isCode(file) && !isTest(file) && applies(file))
      .flatMap((source) =>
        importsOf(source).flatMap((imported) => {
          const why = judge(source.path, imported);
          return why ? [{ path: source.path, line: imported.line, why: `${why} (${imported.target})` }] : [];
        }),
      );
}

/** Static imports, re-exports and import() calls. */
function importsOf(source: SourceText): Import[] {
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

function isTypeImport({ importClause: clause }: ts.ImportDeclaration): boolean {
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

/** The local names of what a file imports by these names from a module. */
function namesImportedFrom(
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

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith("~/")) return withoutExtension(`app/${specifier.slice(2)}`);
  if (specifier.startsWith("~db/")) return withoutExtension(`db/${specifier.slice(4)}`);
  if (specifier.startsWith(".")) return withoutExtension(path.posix.join(path.posix.dirname(from), specifier));
  return specifier;
}

const withoutExtension = (file: string) => file.replace(/\.(tsx?|mts|jsx?|mjs)$/, "");
const lineOf = (tree: ts.SourceFile, node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

const trees = new WeakMap<SourceText, ts.SourceFile>();
function parse(source: SourceText): ts.SourceFile {
  const known = trees.get(source);
  if (known) return known;
  const kind = source.path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true, kind);
  trees.set(source, tree);
  return tree;
}
