import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { loadConfig } from "~/config/config.server";

/** Without Helm the templates are rendered here, which they are kept simple enough for. */
const chart = path.resolve(import.meta.dirname, "..", "deploy", "helm");
const text = (file: string) => readFileSync(path.join(chart, file), "utf8");

type Values = Record<string, Record<string, unknown>>;
interface Container {
  name: string;
  image: string;
  args: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: Record<string, unknown>;
  resources: { limits: { memory: string } };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[]; securityContext: Record<string, unknown> } } };
}

const given = parse(text("values.yaml")) as Values;
/** What an operator fills in. */
const values: Values = {
  ...given,
  secret: {
    APP_SECRET: "kT3vQ9xLm2Zr8WfJ6hYpD4sBnC7gAe5u",
    DATABASE_URL: "mysql://portal:hemmeligt@db.eksempel.dk/portal",
    FILE_STORE_KEY: "key",
    FILE_STORE_SECRET: "secret",
  },
  owner: { ...given.owner, DATABASE_URL: "mysql://owner:hemmeligere@db.eksempel.dk/portal" },
};

const valueAt = (name: string) =>
  name.split(".").reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], values);

function render(template: string): string {
  return template.replace(/[ \t]*\{\{-? *(.*?) *\}\}/g, (whole, action: string) => {
    const before = whole.startsWith("{{-") || /^[ \t]+\{\{-/.test(whole) ? "" : /^[ \t]*/.exec(whole)![0];
    const block = /^toYaml \.Values\.([\w.]+) \| nindent (\d+)$/.exec(action);
    if (block) {
      const lines = stringify(valueAt(block[1]!)).trimEnd().split("\n");
      return `${before}\n${lines.map((line) => " ".repeat(Number(block[2])) + line).join("\n")}`;
    }
    if (action === ".Release.Name") return `${before}henvisning`;
    const name = /^\.Values\.([\w.]+)$/.exec(action)?.[1];
    if (name === undefined) throw new Error(`${whole} is not understood here`);
    return before + String(valueAt(name));
  });
}

const manifests = readdirSync(path.join(chart, "templates")).flatMap((name) =>
  parseAllDocuments(render(text(`templates/${name}`))).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as Manifest;
  }),
);
const podsOf = ({ spec }: Manifest) => spec?.template?.spec;
const workloads = manifests.filter((each) => podsOf(each) !== undefined);

test("the chart is of the release", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(parse(text("Chart.yaml"))).toMatchObject({ version, appVersion: version });
  expect(given.image!.tag).toBe(version);
});

test("every manifest is valid by Kubernetes' own schema", async () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    "ConfigMap",
    "Deployment",
    "Deployment",
    "Ingress",
    "Job",
    "PodDisruptionBudget",
    "Secret",
    "Secret",
    "Service",
  ]);
  for (const manifest of manifests) {
    const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
      string,
      new (given: Manifest) => { validate(): void }
    >;
    new models[manifest.kind]!(manifest).validate();
  }
});

/** The environment of a container: later sources win. */
const environmentOf = ({ envFrom }: Container) =>
  Object.assign(
    {},
    ...envFrom.map(({ configMapRef, secretRef }) => {
      const name = (configMapRef ?? secretRef)!.name;
      const { data, stringData } = manifests.find(({ metadata }) => metadata.name === name)!;
      return data ?? stringData;
    }),
  ) as Record<string, string>;

test("the portal starts with what the chart says; `migrate` alone knows the owner", () => {
  const containers = workloads.flatMap((each) => podsOf(each)!.containers);
  expect(containers.map(({ args }) => args[0]).sort()).toEqual(["migrate", "serve", "worker"]);
  for (const container of containers) {
    const config = loadConfig(environmentOf(container));
    expect(config).toMatchObject({ production: true, host: "0.0.0.0", port: 3000, runWorker: false });
    const isOwner = container.args[0] === "migrate";
    expect(new URL(config.databaseUrl).username).toBe(isOwner ? "owner" : "portal");
    expect(config.databaseServingUser).toBe(isOwner ? "portal" : null);
  }
});

test("every container is limited, unprivileged and cannot write to its image", () => {
  for (const workload of workloads) {
    const { containers, securityContext } = podsOf(workload)!;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    for (const { securityContext: own, resources } of containers) {
      expect(own).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
      expect(own.capabilities).toEqual({ drop: ["ALL"] });
      expect(resources.limits.memory).toBe("4Gi");
    }
  }
});

test("the Ingress leads to the sites' port alone", () => {
  const service = manifests.find(({ kind }) => kind === "Service") as unknown as { spec: { ports: object[] } };
  expect(service.spec.ports).toEqual([{ name: "http", port: 80, targetPort: "http" }]);
});
