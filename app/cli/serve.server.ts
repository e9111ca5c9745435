import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeDemoData } from "~db/demo/demo-data.server";
import { startLocalCleanup } from "~/jobs/local-cleanup.server";
import { startWorker } from "~/jobs/worker.server";
import { answerUnreadable, MAX_HEADER_BYTES } from "~/http/express/unreadable-request.server";
import { announceBuild, createWebApp } from "~/http/express/web-app.server";
import type { Portal } from "~/portal.server";
import { endOnDefect } from "./end-on-defect.server";

/** Twice the longest page; uploads set a limit of their own. */
const REQUEST_TIMEOUT_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

/** The web side and, unless WORKER=off, a worker beside it, until SIGTERM or SIGINT. */
export async function serve(portal: Portal): Promise<void> {
  const { config } = portal;
  const demo = config.production ? null : await makeDemoData(portal);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, await createWebApp(portal));
  answerUnreadable(server, portal);
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  // A slow connection may take hours for 1 GB; the upload route watches its own silence instead.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  await announceBuild(portal);
  endOnDefect(portal);
  const loops = [startLocalCleanup(portal), ...(config.runWorker ? [startWorker(portal)] : [])];
  announce(portal, (server.address() as AddressInfo).port, demo);

  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
  await Promise.all(loops.map((loop) => loop.stop()));
  await closed;
  clearTimeout(late);
  await portal.close();
}

function announce(
  portal: Portal,
  port: number,
  demo: { accounts: { userName: string; what: string }[]; password: string } | null,
) {
  const { config } = portal;
  const lines = [`${config.productName}: http://localhost:${port}`];
  lines.push(
    `Database: ${config.databaseUrl === "" ? `SQLite i ${config.dataDir}` : "MySQL"} · E-mail: ${portal.email.label}`,
  );
  if (demo) {
    lines.push(`Demokonti (adgangskode ${demo.password}):`);
    for (const { userName, what } of demo.accounts) lines.push(`  ${userName.padEnd(20)} ${what}`);
  }
  console.log(lines.join("\n"));
}
