/**
 * Baseline of the benchmark: a Remix app with one page, built and served like the portal (classic compiler,
 * renderToString) by remix-serve. The page is a table as long as the overview.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PreparationError, projectFolder } from "./preparation.mjs";

const folder = path.join(projectFolder, ".cache", "bare-page");

const files = {
  "package.json": JSON.stringify({ private: true, type: "module", sideEffects: false }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: { jsx: "react-jsx", module: "ESNext", moduleResolution: "Bundler", target: "ES2022" },
  }),
  "remix.config.js": `export default { serverModuleFormat: "esm", serverPlatform: "node",
    future: { v3_fetcherPersist: true, v3_relativeSplatPath: true, v3_throwAbortReason: true } };`,
  "app/entry.server.tsx": `import { RemixServer } from "@remix-run/react";
    import { renderToString } from "react-dom/server";
    export default function handle(request, status, headers, context) {
      headers.set("Content-Type", "text/html; charset=utf-8");
      return new Response("<!DOCTYPE html>" + renderToString(<RemixServer context={context} url={request.url} />), { status, headers });
    }`,
  "app/root.tsx": `import { Links, Meta, Outlet, Scripts } from "@remix-run/react";
    export default function Root() {
      return <html lang="da"><head><meta charSet="utf-8" /><Meta /><Links /></head><body><Outlet /><Scripts /></body></html>;
    }`,
  "app/routes/_index.tsx": `import { json } from "@remix-run/node";
    import { useLoaderData } from "@remix-run/react";
    export const loader = ({ request }) => {
      const count = Number(new URL(request.url).searchParams.get("rows"));
      return json({ rows: Array.from({ length: count }, (_, i) => ({ id: i, name: "Anne-Marie Sørensen", clinic: "Tandlægerne Åboulevarden", date: "21.11.2026" })) });
    };
    export default function Index() {
      const { rows } = useLoaderData();
      return <table><tbody>{rows.map((row) => (
        <tr key={row.id}><td className="cell"><a href={"/management/overview/" + row.id}>{row.id}</a></td><td className="cell">{row.name}</td>
          <td className="cell">{row.clinic}</td><td className="cell"><time>{row.date}</time></td></tr>
      ))}</tbody></table>;
    }`,
};

export function buildBaselineApp() {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const remix = path.join(projectFolder, "node_modules", "@remix-run", "dev", "dist", "cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [remix, "build"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new PreparationError(`The bare page could not be built:\n${stdout}${stderr}`);
  return {
    program: path.join(projectFolder, "node_modules", "@remix-run", "serve", "dist", "cli.js"),
    args: ["build/index.js"],
    cwd: folder,
    path: "/?rows=1",
    env: { NODE_ENV: "production" },
  };
}
