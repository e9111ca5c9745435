/** Who may import whom (docs/architecture.md). */
import { builtinModules } from "node:module";
import ts from "typescript";
import {
  type Breach,
  type Rule,
  type Import,
  isCode,
  isDemo,
  isTest,
  isRoute,
  isServerOnly,
  isStore,
  area,
  featureOf,
  routeOf,
  isOurs,
  importsOf,
  lineOf,
  parse,
} from "./source-text";

export const routesKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/routes/"),
  (file, { target }) => {
    if (area(target) === "db" || /^(kysely|libsql|mysql2)\b/.test(target))
      return "a route never knows the database: call an operation";
    // A page that shows several features joins their reads in an operation of its own.
    if (file.endsWith("/data.server.ts") && ["access", "features"].includes(area(target))) return undefined;
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
  (_, { target }) => {
    if (!isOurs(target)) return undefined;
    if (featureOf(target) !== undefined) return undefined;
    if (area(target) === "gateways")
      return /^app\/gateways\/[^/]+\/port$/.test(target)
        ? undefined
        : "a feature knows a gateway's port, not its drivers";
    if (["db", "access", "lists", "files", "streams", "text"].includes(area(target))) return undefined;
    // Addresses for mails, the portal's ports and its configuration.
    if (["app/paths", "app/portal.server", "app/config/config.server", "app/cache/cache.server"].includes(target))
      return undefined;
    return "a feature knows db, access, lists, files, streams, text, gateways' ports and other features";
  },
);

export const gatewaysKnowNoFeature: Rule = importRule(
  (file) => file.startsWith("app/gateways/"),
  (_, { target, typeOnly }) =>
    isOurs(target) &&
    !["gateways", "streams", "text"].includes(area(target)) &&
    // An identity provider names roles.
    !(typeOnly && target === "app/access/actor")
      ? "a gateway knows only its system: the caller hands it what it needs"
      : undefined,
);

/** Remix replaces the global fetch in the web process, not in the worker, and its errors have another shape. */
export const serverFetchesByName: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) =>
        isCode(file) && !isTest(file) && (area(file) === "gateways" || (file.startsWith("app/") && isServerOnly(file))),
    )
    .flatMap((source) => {
      const tree = parse(source);
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "fetch")
          breaches.push({
            path: source.path,
            line: lineOf(tree, node),
            why: "the global fetch differs between the processes: call fetchOutside",
          });
        ts.forEachChild(node, visit);
      };
      if (source.text.includes("fetch(")) visit(tree);
      return breaches;
    });

export const listsKnowNoFeature: Rule = importRule(
  (file) => file.startsWith("app/lists/"),
  (_, { target }) =>
    isOurs(target) && ["features", "components", "routes", "gateways", "http", "ui"].includes(area(target))
      ? "a list is defined by its feature and drawn above: lists know neither"
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
    isOurs(target) &&
    // A full or unreachable file store refuses an operation.
    target !== "app/gateways/file-store/port" &&
    ["features", "components", "routes", "ui", "lists", "http", "jobs", "gateways"].includes(area(target))
      ? "who may do what does not depend on what is done: access knows no feature, page, job or gateway"
      : undefined,
);

export const httpKeepsItsPlace: Rule = importRule(
  (file) => file.startsWith("app/http/"),
  (file, { target }) => {
    if (!isOurs(target)) return undefined;
    if (featureOf(target) !== undefined && isStore(target))
      return "the web side knows operations, never a feature's store";
    if (area(target) === "db")
      return file === "app/http/express/observation.server.ts"
        ? undefined
        : "the web side knows no database: call an operation";
    if (["routes", "components", "jobs"].includes(area(target)))
      return "the web side of operations knows no page and no job";
    return area(target) === "gateways" && !/^app\/gateways\/[^/]+\/port$/.test(target)
      ? "the web side knows a gateway's port, not its drivers"
      : undefined;
  },
);

export const jobsKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/jobs/"),
  (_, { target }) => {
    if (!isOurs(target)) return undefined;
    if (["http", "routes", "components", "ui", "gateways", "db"].includes(area(target)))
      return "a job runs operations: it knows no page, database or gateway";
    // The job register is also shown on a page, so its store belongs to that feature.
    return featureOf(target) !== undefined && isStore(target) && featureOf(target) !== "job-register"
      ? "a job runs operations, never a feature's store"
      : undefined;
  },
);

export const theGroundKnowsNothingAbove: Rule = importRule(
  (file) => /^(app\/text|app\/streams|db)\//.test(file),
  (_, { target }) =>
    isOurs(target) && !["text", "streams", "db"].includes(area(target))
      ? "formatting, streams and the database know nothing above them"
      : undefined,
);

/** Its rows are read and written for every screen of a referral. */
export const referralStoreKnowsNoScreen: Rule = importRule(
  (file) => file.startsWith("app/features/referrals/store/"),
  (_, { target }) =>
    /^app\/features\/referrals\/(?!store\/|model\/)/.test(target) || ["lists", "http"].includes(area(target))
      ? "the store of referrals knows their model and no screen"
      : undefined,
);

/** Demo data are a program of their own (scripts/other-programs.mjs), so production's bundle has none. */
export const demoDataStaysOutside: Rule = importRule(
  (file) => !isDemo(file) && /^(app|db)\//.test(file),
  (_, { target, typeOnly }) => (isDemo(target) && !typeOnly ? "the portal never imports demo data" : undefined),
);

export const componentsKeepTheirPlace: Rule = importRule(
  (file) => file.startsWith("app/components/"),
  (_, { target }) =>
    isOurs(target) && (["db", "gateways", "routes"].includes(area(target)) || isStore(target))
      ? "a component is shared by routes: it knows none of them, no store, no database and no gateway"
      : undefined,
);

/** Circles between features are not allowed: none of them could be understood alone. */
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

/** Files that import each other in a circle can only be understood together, so a circle has at most five. */
export const circlesStaySmall: Rule = (sources) => {
  const MAX = 5;
  const code = sources.filter(({ path: file }) => isCode(file) && !isTest(file) && /^(app|db)\//.test(file));
  const fileOf = new Map(code.map(({ path: file }) => [file.replace(/\.\w+$/, ""), file]));
  const edges = new Map(
    code.map((source) => [
      source.path,
      importsOf(source).flatMap(({ target }) => fileOf.get(target.replace(/\.(ts|tsx)$/, "")) ?? []),
    ]),
  );
  const reachedFrom = (start: string) => {
    const seen = new Set<string>();
    const waiting = [...(edges.get(start) ?? [])];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      if (!seen.has(file)) {
        seen.add(file);
        waiting.push(...(edges.get(file) ?? []));
      }
    return seen;
  };
  const reached = new Map([...edges.keys()].map((file) => [file, reachedFrom(file)]));
  return [...reached].flatMap(([file, from]) => {
    const circle = from.has(file) ? [...from].filter((other) => reached.get(other)?.has(file)) : [];
    return circle.length > MAX
      ? [{ path: file, line: 1, why: `is in an import circle of ${circle.length} files` }]
      : [];
  });
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
  (file) => file.startsWith("app/") && !isServerOnly(file) && !isDemo(file) && !file.endsWith("-worker.ts"),
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
