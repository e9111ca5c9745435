/**
 * `npm run sbom`: writes sbom.cdx.json, every package that runs in production, in CycloneDX. `npm sbom --omit=dev` would leave out what a package
 * of development needs as well, such as Express.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PreparationError, projectFolder, runAsCommand } from "./preparation.mjs";

export function makeSbom() {
  const { stdout, stderr } = spawnSync("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], {
    cwd: projectFolder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  if (!stdout.startsWith("{")) throw new PreparationError(`npm sbom made no list:\n${stderr}`);
  const bom = JSON.parse(stdout);
  const { packages } = JSON.parse(readFileSync(path.join(projectFolder, "package-lock.json"), "utf8"));
  const inProduction = new Set(
    Object.entries(packages)
      .filter(([, { dev }]) => !dev)
      .map(([folder, { version }]) => `${folder.replace(/^.*node_modules\//, "")}@${version}`),
  );
  // The same version may lie in the tree twice, once for development, which is the mark that npm keeps.
  const components = bom.components
    .filter((component) => inProduction.has(component["bom-ref"]))
    .map((component) => ({
      ...component,
      scope: "required",
      properties: component.properties.filter(({ name }) => name !== "cdx:npm:package:development"),
    }));
  const kept = new Set([bom.metadata.component["bom-ref"], ...inProduction]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return { ...bom, components, dependencies };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await runAsCommand(() => {
    const bom = makeSbom();
    writeFileSync(path.join(projectFolder, "sbom.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`);
    console.log(`sbom.cdx.json: ${bom.components.length} packages`);
  });
