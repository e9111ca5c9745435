import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { makeDemoData, SECRET, signIn, startServer } from "../../../scripts/test-server.mjs";
import { SMS_TOKEN, WEBHOOK_SECRET } from "../peers/gatewayapi-peer";
import { pageForm } from "../form-ticket";
import { inDatabaseOf } from "../portals/demo-portal";

export interface Answer {
  /** 0 if the portal closed the connection before the whole request had arrived. */
  status: number;
  location: string;
  text: string;
}

export interface Sent {
  method?: string;
  as?: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer | string;
}

export interface SentFile {
  field: string;
  name: string;
  bytes: Buffer;
}

export type SizesPortal = Awaited<ReturnType<typeof startSizesPortal>>;

/** A web process and a worker as an operator runs them, with folders for incoming files. */
export async function startSizesPortal(referrals: number) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-sizes-"));
  const folders = { edi: path.join(dataDir, "edi", "in"), bounces: path.join(dataDir, "bounces") };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  makeDemoData(dataDir, referrals);
  const env = {
    NODE_ENV: "development",
    DATA_DIR: dataDir,
    WORKER: "off",
    BOUNCE_ADDRESS: "retur@eksempel.dk",
    BOUNCE_DIR: folders.bounces,
    SMS_TOKEN,
    SMS_URL: "http://127.0.0.1:1",
    SMS_WEBHOOK_SECRET: WEBHOOK_SECRET,
    METRICS_TOKEN: SECRET,
    // Waiting for the disk is not what is measured.
    SQLITE_SYNC: "normal",
  };
  const turnsFile = path.join(dataDir, "longest-turn");
  const preload = (script: string) => `--import=${path.resolve("scripts", script)}`;
  const measuring = {
    NODE_OPTIONS: `${preload("longest-turn.mjs")} ${preload("collect-garbage.mjs")}`,
    TURNS_FILE: turnsFile,
  };
  aTreatmentCode(dataDir);
  const server = await startServer({ env: { ...env, ...measuring } });
  const worker = spawn(process.execPath, ["build/server.js", "worker"], {
    stdio: "ignore",
    env: {
      ...process.env,
      NODE_OPTIONS: preload("collect-garbage.mjs"),
      APP_SECRET: SECRET,
      ...env,
      NODE_ENV: "development",
    },
  });
  const workerEnded = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const cookies: Record<string, string> = {};
  for (const who of ["admin", "kirurg", "sekretaer", "tandlaege", "tandlaege2"])
    cookies[who] = await signIn(server.origin, who);

  const inDatabase = <T>(work: Parameters<typeof inDatabaseOf<T>>[1]) => inDatabaseOf(dataDir, work);

  const send = (address: string, { method = "GET", as, headers = {}, body }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const { hostname, port } = new URL(server.origin);
      const { cookie, ...others } = headers;
      const sent = request(
        {
          hostname,
          port,
          agent: false,
          method,
          path: address,
          headers: {
            ...(as === undefined && cookie === undefined
              ? {}
              : { cookie: [as && cookies[as], cookie].filter(Boolean).join("; ") }),
            "sec-fetch-site": "same-origin",
            ...others,
            ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", reject);
          answer.on("end", () =>
            resolve({
              status: answer.statusCode!,
              location: answer.headers.location ?? "",
              text: Buffer.concat(chunks).toString("utf8"),
            }),
          );
        },
      );
      // A refused body may be cut off.
      sent.on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ECONNRESET" || error.code === "EPIPE"
          ? resolve({ status: 0, location: "", text: "" })
          : reject(error),
      );
      sent.end(body);
    });

  const callWithFiles = (
    as: string,
    address: string,
    fields: Record<string, string | number>,
    files: readonly SentFile[],
  ) =>
    send(address, {
      method: "POST",
      as,
      headers: { "content-type": "multipart/form-data; boundary=----sizes" },
      body: multipart(Object.entries(fields), files),
    });

  return {
    origin: server.origin,
    dataDir,
    folders,
    cookies,
    inDatabase,
    send,
    sentBy: (userName: string) =>
      (
        inDatabase((database) =>
          database
            .prepare(
              "select id from referral where sent_at is not null and referrer_id = (select id from user where user_name = ?) order by id desc limit 3",
            )
            .all([userName]),
        ) as { id: number }[]
      ).map(({ id }) => id),
    /** Adds an image and a message to copy from. */
    async addFirst(id: number) {
      const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#888" } })
        .png()
        .toBuffer();
      for (const answer of [
        await callWithFiles("tandlaege", `/api/Visits/${id}/upload/radiographs`, { RadiographFileTypes: "[1]" }, [
          { field: "Radiographs", name: "panorama.png", bytes: picture },
        ]),
        await callWithFiles("tandlaege", `/api/Visits/${id}/messages`, { Text: "æ ".repeat(1990) }, []),
      ])
        if (answer.status !== 204) throw new Error(`answered with ${answer.status}: ${answer.text}`);
    },
    sendForm: (as: string, address: string, fields: Record<string, string | number>, more: [string, string][] = []) =>
      send(address, {
        method: "POST",
        as,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams([
          ...Object.entries(pageForm({ inDatabase }, as, fields)).map(([name, value]) => [name, String(value)]),
          ...more,
        ]).toString(),
      }),
    sendFiles: (
      as: string,
      address: string,
      fields: Record<string, string | number>,
      files: readonly SentFile[],
      more: [string, string][] = [],
    ) =>
      send(address, {
        method: "POST",
        as,
        headers: { "content-type": "multipart/form-data; boundary=----sizes" },
        body: multipart([...Object.entries(pageForm({ inDatabase }, as, fields)), ...more], files),
      }),
    callWithFiles,
    pids: { serve: server.pid!, worker: worker.pid! },
    /** Memory that both processes hold without their garbage, in MB. */
    async keptMemory() {
      for (const pid of [server.pid!, worker.pid!]) process.kill(pid, "SIGUSR2");
      await sleep(6000);
      return { serve: memoryOf(server.pid!, "VmRSS"), worker: memoryOf(worker.pid!, "VmRSS") };
    },
    /** Whether both processes still run. */
    isAlive: () => worker.exitCode === null && worker.signalCode === null && memoryOf(server.pid!, "VmRSS") > 0,
    output: server.output,
    /** Longest CPU time of the web process without yielding since the last call, in milliseconds. */
    async longestTurn(): Promise<number> {
      do await sleep(150);
      while (!existsSync(turnsFile));
      const longest = Number(readFileSync(turnsFile, "utf8"));
      rmSync(turnsFile);
      await sleep(150);
      return longest;
    },
    async stop() {
      worker.kill("SIGTERM");
      await Promise.all([server.stop(), workerEnded]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The treatment code used by the appointment files. */
function aTreatmentCode(dataDir: string): void {
  inDatabaseOf(dataDir, (database) =>
    database.exec(
      "insert into treatment_type (name, name_sort, external_appointment_ids) values ('Operation', 'operation', 'OP-48')",
    ),
  );
}

function multipart(fields: readonly (readonly [string, string | number])[], files: readonly SentFile[]): Buffer {
  const part = (name: string, more: string) => `------sizes\r\nContent-Disposition: form-data; name="${name}"${more}`;
  return Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${part(name, "")}\r\n\r\n${value}\r\n`)),
    ...files.flatMap(({ field, name, bytes }) => [
      Buffer.from(`${part(field, `; filename="${name}"`)}\r\nContent-Type: application/octet-stream\r\n\r\n`),
      bytes,
      Buffer.from("\r\n"),
    ]),
    Buffer.from("------sizes--\r\n"),
  ]);
}

/** MB; 0 for an ended process. */
export function memoryOf(pid: number, key: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resets the peak memory. */
export function forgetHighest(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
    } catch {
      // The process has ended.
    }
  }
}

/** The reader processes. */
export const childrenOf = (pids: readonly number[]): number[] =>
  pids.flatMap((pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
      );
    } catch {
      return [];
    }
  });
