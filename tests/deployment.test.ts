import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "~/config/config.server";
import { MAX_HEADER_BYTES } from "~/http/express/unreadable-request.server";

/** Without a container engine the deployment files are compared with the program and each other. */
const root = path.resolve(import.meta.dirname, "..");
const text = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Settings an operator writes into .env, besides those of the compose file. */
const dotEnv: Record<string, string> = {
  MARIADB_PASSWORD: "hemmeligt",
  MARIADB_OWNER_PASSWORD: "hemmeligere",
  MARIADB_ROOT_PASSWORD: "hemmeligst",
  APP_SECRET: "kT3vQ9xLm2Zr8WfJ6hYpD4sBnC7gAe5u",
  ADMIN_ORIGIN: "https://klinik.eksempel.dk",
  PUBLIC_ORIGIN: "https://www.eksempel.dk",
  ADMIN_IP_ALLOW: "192.0.2.0/24",
  PARKING_IP_ALLOW: "192.0.2.0/24",
  FILE_STORE: "s3://henvisninger/filer?region=eu-north-1",
  FILE_STORE_KEY: "key",
  FILE_STORE_SECRET: "secret",
};

/** Lines of the first `environment:` below a line with this beginning. */
function environmentOf(compose: string, service: RegExp): Record<string, string> {
  const from = compose.slice(compose.search(service));
  const [, block] = /^ +environment:.*\n(?: +<<: .*\n)?((?:[ ]{4,}[A-Z_]+: .*\n)+)/m.exec(from)!;
  return Object.fromEntries(
    block!
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/: (.*)/))
      .map(([name, value]) => [
        name!,
        value!.replace(/^"(.*)"$/, "$1").replace(/\$\{(\w+)[^}]*\}/g, (_, key: string) => dotEnv[key]!),
      ]),
  );
}

test.each([
  ["compose.yaml", /^x-portal:/m, { runWorker: true }],
  ["deploy/compose.two-machines.yaml", /^x-portal:/m, { runWorker: false }],
])("the portal starts with what %s says", (file, service, expected) => {
  const { FILE_STORE, FILE_STORE_KEY, FILE_STORE_SECRET, ...folder } = dotEnv;
  const bucket = expected.runWorker ? {} : { FILE_STORE, FILE_STORE_KEY, FILE_STORE_SECRET };
  const environment = environmentOf(text(file), service);
  // The containers' files do not exist here.
  const files = Object.keys(environment).filter((name) => name.endsWith("_FILE"));
  const certificates = Object.fromEntries(files.map((name) => [name, import.meta.filename]));
  const config = loadConfig({ ...folder, ...bucket, ...environment, ...certificates });
  expect(config).toMatchObject({ production: true, host: "0.0.0.0", port: 3000, dataDir: "/data", ...expected });
  expect(config.databaseUrl).toMatch(/^mysql:\/\/portal:hemmeligt@\w+:3306\/portal$/);
  expect(config.databaseTls === null).toBe(environment.DATABASE_INSECURE === "said-on-purpose");
  expect(config.serverTls !== null).toBe(expected.runWorker === false);
  const known = [...text(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
});

test.each(["compose.yaml", "deploy/compose.two-machines.yaml"])(
  "of %s only `migrate` knows the tables' owner, and grants the server's rights",
  (file) => {
    const compose = text(file);
    // The container gets all of .env, so settings it must not know are cleared by name.
    const serving = environmentOf(compose, /^x-portal:/m);
    const foreign = Object.keys(dotEnv).filter(
      (name) => /^MARIADB_.*PASSWORD$/.test(name) && compose.includes(`{${name}`),
    );
    for (const name of foreign.filter((each) => each !== "MARIADB_PASSWORD")) expect(serving[name], name).toBe("");
    const migrating = environmentOf(compose, /^ {2}migrate:/m);
    const config = loadConfig({
      ...dotEnv,
      ...serving,
      DATABASE_CA_FILE: "",
      TLS_CERT_FILE: "",
      TLS_KEY_FILE: "",
      ...migrating,
    });
    expect(new URL(config.databaseUrl)).toMatchObject({ username: "owner", password: "hemmeligere" });
    expect(config.databaseServingUser).toBe(new URL(serving.DATABASE_URL!).username);
    expect(text("deploy/serving-user.sh")).toContain(`create user ${config.databaseServingUser}@'%'`);
    const database = environmentOf(compose, file === "compose.yaml" ? /^ {2}database:/m : /^x-database:/m);
    expect([database.MARIADB_USER, database.MARIADB_PASSWORD, database.SERVING_PASSWORD]).toEqual([
      "owner",
      "hemmeligere",
      "hemmeligt",
    ]);
  },
);

test("two machines: every node and haproxy speak TLS with their certificates", () => {
  const compose = text("deploy/compose.two-machines.yaml");
  const tls = text("deploy/galera-tls.cnf");
  const made = text("deploy/make-certificates.sh");
  const asked = [...(compose + tls).matchAll(/\/run\/database-tls\/([\w-]+\.pem)/g)].map(([, name]) => name!);
  expect(new Set(asked)).toEqual(
    new Set(["ca.pem", "portal-cert.pem", "portal-key.pem", "server-cert.pem", "server-key.pem"]),
  );
  for (const name of ["server", "portal"]) expect(made).toMatch(new RegExp(`^certificate ${name} `, "m"));
  for (const line of ["socket.ssl=yes", "socket.ssl_ca=", "encrypt = 4", "ssl-mode = VERIFY_CA"])
    expect(tls).toContain(line);
  const [, verified] = /WEB_TLS: ssl verify required ca-file \S+ verifyhost (\S+)/.exec(compose) ?? [];
  expect(made).toContain(`DNS:${verified}`);
  for (const [name, body] of containersOf(compose))
    if (name.startsWith("database-")) {
      expect(body, name).toContain("./deploy/galera-tls.cnf:/etc/mysql/conf.d/tls.cnf:ro");
      expect(made, name).toContain(`DNS:${name}`);
    }
  expect(compose).toContain("SERVING_TLS: ");
  // Passwords must not appear in the process list.
  expect([...compose.matchAll(/^ +command: .*PASSWORD.*$/gm)]).toEqual([]);
});

function publishedPorts(compose: string): string[] {
  const lists = [...compose.matchAll(/^ +ports:(?: \[(.*)\]|\n((?: +- .*\n)+))/gm)];
  return lists.flatMap(([, inline, lines]) =>
    [...(inline ?? lines ?? "").matchAll(/"([^"]+)"/g)].map(([, port]) => port!),
  );
}

test("no proxy forwards to the port of monitoring", () => {
  for (const file of ["compose.yaml", "deploy/compose.two-machines.yaml"]) {
    const { METRICS_PORT } = environmentOf(text(file), /^x-portal:/m);
    expect(METRICS_PORT).toBe("9464");
    expect(Object.values(environmentOf(text("deploy/compose.two-machines.yaml"), /^ {2}proxy:/m)).join()).not.toContain(
      METRICS_PORT,
    );
  }
});

test("haproxy takes a request's head of every size that the portal takes", () => {
  const [, bytes] = /tune\.bufsize (\d+)/.exec(text("deploy/haproxy.cfg")) ?? [];
  // Reserves 1 KB for its own headers.
  expect(Number(bytes)).toBeGreaterThanOrEqual(MAX_HEADER_BYTES + 1024);
});

test("haproxy ends TLS with the portal's own ciphers and versions", () => {
  const [, own] = /ciphers: ".*?(ECDHE[^"]+)"/.exec(text("app/cli/serve.server.ts")) ?? [];
  const proxy = text("deploy/haproxy.cfg");
  expect(proxy).toContain(`ssl-default-bind-ciphers ${own}\n`);
  expect(proxy).toMatch(/ssl-default-bind-options ssl-min-ver TLSv1\.2\b/);
});

test("two machines: haproxy has its settings and files, its port is local", () => {
  const compose = text("deploy/compose.two-machines.yaml");
  const asked = [...text("deploy/haproxy.cfg").matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  const told = environmentOf(compose, /^ {2}proxy:/m);
  expect(new Set(asked)).toEqual(new Set(Object.keys(told)));
  const files = [...compose.matchAll(/"\.\/(deploy\/[^:"]+)/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  for (const each of [compose, text("compose.yaml")])
    expect(publishedPorts(each)).toEqual(publishedPorts(each).filter((port) => /^127\.0\.0\.1:.*:\d+$/.test(port)));
  expect(publishedPorts(compose)).toHaveLength(1);
  expect(publishedPorts(text("compose.yaml"))).toHaveLength(2);
  const workers = [...compose.matchAll(/^ {2}worker-[ab]:\n(?:.+\n)+?.*command: \[worker\]/gm)];
  expect(workers).toHaveLength(2);
});

/** Lines of each container, with those of its YAML anchor. */
function containersOf(compose: string): Map<string, string> {
  const parts = new Map<string, string>();
  let [section, part] = ["", ""];
  for (const line of compose.split("\n")) {
    if (/^[a-z]/.test(line)) section = part = line.replace(/:.*/, "");
    else if (section === "services" && /^ {2}[a-z]/.test(line)) part = line.trim().replace(/:.*/, "");
    parts.set(part, `${parts.get(part) ?? ""}${line}\n`);
  }
  const services = [...parts].filter(([name, body]) => body.startsWith(`  ${name}:`));
  const broughtAlong = (body: string) => parts.get(`x-${/<<: \*(\w+)/.exec(body)?.[1]}`) ?? "";
  return new Map(services.map(([name, body]) => [name, body + broughtAlong(body)]));
}

test.each([
  ["compose.yaml", ["migrate", "portal", "database"]],
  [
    "deploy/compose.two-machines.yaml",
    ["proxy", "migrate", "portal-a", "portal-b", "worker-a", "worker-b", "database-a", "database-b", "database-c"],
  ],
])("in %s every container is limited and gains no privileges", (file, names) => {
  const containers = containersOf(text(file));
  expect([...containers.keys()]).toEqual(names);
  for (const [name, body] of containers) {
    for (const line of ["mem_limit: ", "pids_limit: ", "cpus: ", "read_only: true", "no-new-privileges:true"])
      expect(body, name).toContain(line);
    expect(body, name).toMatch(/cap_drop:\s+(\[ALL\]|- ALL)/);
  }
});

test("every image can be named by its digest from the environment", () => {
  for (const file of ["compose.yaml", "deploy/compose.two-machines.yaml"]) {
    const images = [...text(file).matchAll(/^ +image: (.*)$/gm)].map(([, image]) => image!);
    expect(images.filter((image) => !/^\$\{[A-Z]+_IMAGE:-[\w.:-]+\}$/.test(image))).toEqual([]);
    expect(text(file)).toContain("NODE_IMAGE");
  }
  const froms = [...text("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(froms).toEqual(["${NODE_IMAGE}", "${NODE_IMAGE}"]);
});
