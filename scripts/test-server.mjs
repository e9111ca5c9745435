/** Starts a portal for measurements with its own data folder and port, and signs in over HTTP. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { PreparationError, projectFolder } from "./preparation.mjs";

export const SECRET = "tS3vK8rLq2Xz9WfJ6hYpD4mBnC7gAe5u";

/**
 * Starts `program ...args` and waits for its first answer.
 * `env` may be a function of the port. `pid` is the server's own; `firstAnswerMs` counts from the start of the process.
 * @param {{ program?: string, args?: string[], cwd?: string, path?: string, env?: Record<string, string> | ((port: number) => Record<string, string>) }} options
 */
export async function startServer(options) {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await startOn(await freePort(), options);
    } catch (error) {
      // Another program may take a free port before the server listens on it.
      if (attempts === 3 || !String(error).includes("another program listens on")) throw error;
    }
  }
}

async function startOn(
  port,
  {
    program = path.join(projectFolder, "build", "server.js"),
    args = ["serve"],
    cwd = projectFolder,
    path: probe = "/healthz",
    env = {},
  },
) {
  const origin = `http://localhost:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...bareEnvironment(),
      PORT: String(port),
      HOST: "127.0.0.1",
      APP_SECRET: SECRET,
      ADMIN_ORIGIN: origin,
      PUBLIC_ORIGIN: origin,
      ...(typeof env === "function" ? env(Number(port)) : env),
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => (output = (output + text).slice(-1_000_000)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const abandon = () => child.kill("SIGKILL");
  process.once("exit", abandon);

  for (;;) {
    if (child.exitCode !== null)
      throw new PreparationError(`${program} ended with ${child.exitCode} before it answered:\n${output.slice(-4000)}`);
    if (performance.now() - started > 600_000)
      throw new PreparationError(`${program} did not answer within ten minutes:\n${output.slice(-4000)}`);
    const answer = await get(origin + probe).catch(() => undefined);
    if (answer && answer.status < 500) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const firstAnswerMs = performance.now() - started;
  return {
    origin,
    pid: /** @type {number} */ (child.pid),
    firstAnswerMs,
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      const hurry = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await ended;
      clearTimeout(hurry);
      process.off("exit", abandon);
    },
  };
}

export function makeDemoData(dataDir, referrals, databaseUrl = "", users = 0, folder = projectFolder) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(folder, "build", "server.js"),
      "demo-data",
      ...(referrals ? ["--referrals", String(referrals), "--users", String(users)] : []),
    ],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...bareEnvironment(),
        NODE_ENV: "development",
        APP_SECRET: SECRET,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
      },
    },
  );
  if (status !== 0) throw new PreparationError(`demo-data failed:\n${stdout}${stderr}`);
}

/** Signs in with a demo account; returns the Cookie header. */
export async function signIn(origin, userName = "admin", password = "Demo1234") {
  const page = await get(`${origin}/login`);
  const fields = new URLSearchParams();
  for (const input of page.text.match(/<input\b[^<>]*>/g) ?? []) {
    if (!input.includes('type="hidden"')) continue;
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    if (name) fields.set(name, /\bvalue="([^"]*)"/.exec(input)?.[1] ?? "");
  }
  fields.set("userName", userName);
  fields.set("password", password);
  fields.set("intent", "signIn");
  const answer = await request(`${origin}/login`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin,
      "sec-fetch-site": "same-origin",
      cookie: page.cookies.join("; "),
    },
    body: fields.toString(),
  });
  const cookies = answer.cookies.filter((cookie) => !cookie.endsWith("="));
  if (answer.status >= 400 || cookies.length === 0) {
    throw new PreparationError(
      `Sign-in as ${userName} was answered with ${answer.status} and ${cookies.length} cookies:\n${answer.text.slice(0, 500)}`,
    );
  }
  return cookies.join("; ");
}

/** A GET without redirects; `bytes` is the compressed size of the body. */
export const get = (url, headers = {}) => request(url, { headers });

/** Ticket of the page's form with this operation, else of its first form. Throws for a page without forms. */
export function ticketIn(html, operation = "") {
  const forms = (html.split("<main")[1] ?? "").split("<form").slice(1);
  const form =
    forms.find((each) => each.includes(`value="${operation}"`)) ?? forms.find((each) => each.includes("ticket"));
  const ticket = form?.split(' name="ticket"')[1]?.split(' value="')[1]?.split('"')[0];
  if (ticket === undefined) throw new Error("the page has no form with a ticket");
  return ticket;
}

/** Reads a page and submits a form of it without following redirects. */
export async function postPageForm(url, fields, cookie) {
  const page = await get(url, { cookie });
  return postForm(url, { ...fields, ticket: ticketIn(page.text, fields.intent) }, cookie);
}

/** Submits a form without following redirects. A list repeats its name. */
export function postForm(url, fields, cookie) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  );
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    origin: new URL(url).origin,
    "sec-fetch-site": "same-origin",
    cookie,
  };
  return request(url, { method: "POST", headers, body: body.toString() });
}

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options]
 * @returns {Promise<any>}
 */
function request(url, options = {}) {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = http.request(
      url,
      { method, headers: { "accept-encoding": "gzip", accept: "text/html,*/*", ...headers }, agent: false },
      (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const raw = Buffer.concat(chunks);
          const gzipped = answer.headers["content-encoding"] === "gzip";
          resolve({
            status: answer.statusCode,
            headers: answer.headers,
            cookies: (answer.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]),
            bytes: raw.length,
            gzipped,
            text: (gzipped ? gunzipSync(raw) : raw).toString("utf8"),
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const lines = status.split("\n").map((line) => line.split(/[:\s]+/));
    const mb = (key) => Math.round(Number(lines.find(([name]) => name === key)?.[1]) / 1024);
    return { now: mb("VmRSS"), highest: mb("VmHWM") };
  } catch {
    return undefined;
  }
}

/** The environment without settings of the portal, except the sync mode that tests set. */
function bareEnvironment() {
  const { PATH, HOME, TMPDIR, SystemRoot, SQLITE_SYNC } = process.env;
  return Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, SystemRoot, SQLITE_SYNC }).filter(([, value]) => value !== undefined),
  );
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
