// @module-tag node
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type ConnectionOptions } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, SECRET } from "../../scripts/test-server.mjs";
import { copyDemoData } from "../support/demo-data";

/** Certificates of two machines, created as documented. */
let folder: string;
let port: number;
let server: ReturnType<typeof spawn>;
const fileOf = (name: string) => path.join(folder, "tls", name);
const ca = () => readFileSync(fileOf("ca.pem"));

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "portal-tls-"));
  const made = spawnSync("sh", ["deploy/make-certificates.sh", path.join(folder, "tls")], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  port = await freePort();
  copyDemoData(path.join(folder, "data"), 1);
  server = spawn(process.execPath, [path.join("build", "server.js"), "serve"], {
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "development",
      APP_SECRET: SECRET,
      DATA_DIR: path.join(folder, "data"),
      PORT: String(port),
      TLS_CERT_FILE: fileOf("portal-cert.pem"),
      TLS_KEY_FILE: fileOf("portal-key.pem"),
    },
  });
  while ((await status("portal").catch(() => 0)) !== 200) await sleep(50);
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const status = (servername: string) =>
  new Promise<number>((resolve, reject) => {
    https
      .get({ host: "127.0.0.1", port, path: "/healthz", ca: ca(), servername, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      })
      .on("error", reject);
  });

test("the portal speaks TLS by its own certificate", async () => {
  for (const name of ["portal", "portal-a", "portal-b"]) expect(await status(name)).toBe(200);
  await expect(status("database-a")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  const inClear = new Promise((resolve) => {
    http
      .get({ host: "127.0.0.1", port, path: "/healthz", agent: false }, resolve)
      .on("error", () => resolve("refused"));
  });
  expect(await inClear).toBe("refused");
});

test.each<[string, ConnectionOptions, string]>([
  ["TLS 1.3", { minVersion: "TLSv1.3" }, "connected"],
  ["TLS 1.2 by an AEAD", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }, "connected"],
  ["TLS 1.2 by CBC", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" }, "refused"],
  ["TLS 1.1", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }, "refused"],
])("%s", async (_what, options, expected) => {
  const outcome = await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, ca: ca(), servername: "portal", ...options });
    socket.once("secureConnect", () => {
      resolve("connected");
      socket.destroy();
    });
    socket.once("error", () => resolve("refused"));
  });
  expect(outcome).toBe(expected);
});

test("the database's certificate names its nodes, and keys are for their readers alone", () => {
  const text = spawnSync("openssl", ["x509", "-in", fileOf("server-cert.pem"), "-noout", "-ext", "subjectAltName"], {
    encoding: "utf8",
  }).stdout;
  for (const node of ["a", "b", "c"]) expect(text).toContain(`DNS:database-${node}`);
  for (const key of [fileOf("server-key.pem"), fileOf("portal-key.pem"), `${path.join(folder, "tls")}-ca-key.pem`])
    expect(statSync(key).mode & 0o077, key).toBe(0);
});
