import type { Portal } from "~/portal.server";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { startLocalCleanup, startWorker } from "~/jobs/worker.server";
import { answerUnreadable, MAX_HEADER_BYTES } from "~/http/express/unreadable-request.server";
import { createObservation } from "~/http/express/observation.server";
import { announceBuild, createWebApp } from "~/http/express/web-app.server";
import { version } from "../../package.json";
import { endOnDefect, logStart } from "./worker.server";

/** Time limit for request headers: 64 KB at 20 kbit/s. Upload bodies have limits of their own. */
const HEADERS_TIMEOUT_MS = 30_000;
const LOOK_FOR_SILENT_MS = 5_000;
/** Connections beyond this are closed at once, so that silent ones cannot exhaust file descriptors. */
const MAX_CONNECTIONS = 1_000;
const STOP_WITHIN_MS = 10_000;

/** Serves the web side and, unless WORKER=off, a worker, until SIGTERM or SIGINT. Prints the demo's accounts, if any. */
export async function serve(portal: Portal): Promise<void> {
  const { config } = portal;
  const observation = createObservation(portal);
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: LOOK_FOR_SILENT_MS };
  const app = await createWebApp(portal, observation);
  const server: Server = config.serverTls
    ? createTlsServer({ ...limits, ...tlsOptions(config.serverTls) }, app)
    : createServer(limits, app);
  answerUnreadable(server, portal);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  // 1 GB over a slow connection may take hours; the upload route watches for silence instead.
  server.requestTimeout = 0;
  const observed = createServer(observation.app);
  try {
    await listen(server, config);
    if (config.observation !== null) await listen(observed, config.observation);
  } catch (error) {
    server.close();
    throw error;
  }
  await announceBuild(portal);
  endOnDefect(portal);
  logStart(portal);
  const loops = [startLocalCleanup(portal), ...(config.runWorker ? [startWorker(portal)] : [])];
  announce(portal, (server.address() as AddressInfo).port);

  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  observed.close();
  observed.closeAllConnections();
  const late = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
  await Promise.all(loops.map((loop) => loop.stop()));
  await closed;
  clearTimeout(late);
  await portal.close();
}

const tlsOptions = ({ certFile, keyFile }: { certFile: string; keyFile: string }) => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  minVersion: "TLSv1.2" as const,
  // For TLS 1.2 only authenticated encryption (AEAD), as in all of TLS 1.3.
  ciphers: "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20",
  handshakeTimeout: HEADERS_TIMEOUT_MS,
});

const listen = (server: Server, { port, host }: { port: number; host: string }) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });

function announce(portal: Portal, port: number) {
  const { config, demo } = portal;
  const lines = [`${config.productName} ${version}: ${config.serverTls ? "https" : "http"}://localhost:${port}`];
  lines.push(
    `Database: ${config.databaseUrl === "" ? `SQLite i ${config.dataDir}` : "MySQL"} · E-mail: ${portal.email.label}`,
  );
  if (demo) {
    lines.push(`Demokonti (adgangskode ${demo.password}):`);
    for (const { userName, title, name, task } of demo.accounts)
      lines.push(`  ${userName.padEnd(20)} ${title} ${name}: ${task}`);
  }
  console.log(lines.join("\n"));
}
