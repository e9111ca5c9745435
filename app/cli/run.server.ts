import { existsSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError } from "~/config/config.server";
import { StoreFull, StoreUnavailable } from "~/gateways/file-store/port";
import { loggedError } from "~/log.server";
import { openPortal, type Portal } from "~/portal.server";
import { backup } from "./backup.server";
import { createAdmin } from "./create-admin.server";
import { makeBulkDemoData } from "~db/demo/bulk.server";
import { rotateKeys } from "./rotate-keys.server";
import { restore } from "./restore.server";
import { resumeSending } from "./resume-sending.server";
import { resetSecondFactor } from "./reset-second-factor.server";
import { moveFiles } from "./move-files.server";
import { rebuildStatistics } from "./rebuild-statistics.server";
import { workOnly } from "./worker.server";

const usage = `Usage: node build/server.js [serve | worker | migrate | create-admin | demo-data --referrals N | rotate-keys | rebuild-statistics | reset-second-factor | move-files --to STORE | backup FOLDER [--secret FILE] | restore FOLDER | resume-sending]`;

/** The commands of the one bundle. Configuration errors are printed a line each; the exit code is then 1. */
export async function runCli(args: string[], readConfig: () => Config): Promise<void> {
  const [command = "serve", ...rest] = args;
  // Whatever is written (database, files, mail of a trial) is this user's alone.
  process.umask(0o077);
  try {
    const config = readConfig();
    // Before anything is opened: SQLite would make the database that is not there.
    if (command === "backup") refuseMissingDatabase(config);
    const open = () =>
      openPortal(config, {
        readerProgram: besideBundle("reader-program.js"),
        acceptUnknownKeys: command === "rotate-keys",
        // What is backed up stays as it is: the portal that runs on it may be an older one.
        isMigrated: command === "backup",
      });
    if (command === "serve") {
      // Only this one needs the pages that the compiler makes.
      const { serve } = await import("./serve.server");
      return await serve(await open());
    }
    if (command === "worker") return await workOnly(await open());
    if (command === "restore") return await restore(config, rest, open);
    const commands: Record<string, (portal: Portal, args: string[]) => Promise<void>> = {
      // Opening the portal has done it: for a user of the database who may change the schema, where the one who serves may not.
      migrate: async () => {},
      "create-admin": createAdmin,
      "demo-data": makeBulkDemoData,
      "rotate-keys": rotateKeys,
      "rebuild-statistics": rebuildStatistics,
      "reset-second-factor": resetSecondFactor,
      "move-files": moveFiles,
      backup,
      "resume-sending": resumeSending,
    };
    const run = commands[command];
    if (!run) throw new ConfigError(usage);
    const portal = await open();
    try {
      await run(portal, rest);
    } finally {
      await portal.close();
    }
  } catch (error) {
    console.error(
      error instanceof ConfigError
        ? error.message
        : (outsideError(error) ?? inspect(loggedError(error), { depth: null, compact: false })),
    );
    process.exitCode = 1;
  }
}

/** Errors of the environment, by their code: the operator can fix them, and the stack tells nothing. */
const outsideErrors: Record<string, string> = {
  EACCES: "PORT, DATA_DIR: this user may not use it",
  EEXIST: "DATA_DIR: is a file, and must be a folder",
  ENOTDIR: "DATA_DIR: lies below a file, and must be a folder",
  SQLITE_CANTOPEN: "DATA_DIR: the database portal.db in it cannot be opened",
  EROFS: "DATA_DIR: cannot be written to",
  ENOSPC: "DATA_DIR: the disk is full",
  ECONNREFUSED: "DATABASE_URL: nobody answers there",
  ENOTFOUND: "DATABASE_URL: there is no such host",
  ETIMEDOUT: "DATABASE_URL: nobody answers there",
  ER_ACCESS_DENIED_ERROR: "DATABASE_URL: the user or the password is refused",
  ER_DBACCESS_DENIED_ERROR: "DATABASE_URL: the user may not use this database",
  ER_TABLEACCESS_DENIED_ERROR:
    "DATABASE_URL: the user may not change the schema: run `migrate` first, as a user who may",
  ER_BAD_DB_ERROR: "DATABASE_URL: there is no database of that name",
};

/** Throws `ConfigError` where no portal has begun on SQLite. */
function refuseMissingDatabase({ databaseUrl, dataDir }: Config): void {
  const file = path.join(dataDir, "portal.db");
  if (databaseUrl === "" && !existsSync(file))
    throw new ConfigError(`DATA_DIR: there is no ${file}; no portal has run on this folder yet`);
}

function outsideError(error: unknown): string | undefined {
  const { code, message, address, port } = error as { code?: string; message: string; address?: string; port?: number };
  if (error instanceof StoreUnavailable)
    return "FILE_STORE: the files cannot be reached, or the store refuses them; run it again when they can";
  if (error instanceof StoreFull) return "FILE_STORE: there is no room left";
  if (code === "EADDRINUSE") return `PORT or METRICS_PORT: another program listens on ${address}:${port} already`;
  // An option that a command does not have, as Node tells it.
  if (code?.startsWith("ERR_PARSE_ARGS_")) return message;
  return code === undefined ? undefined : outsideErrors[code];
}

function besideBundle(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), name);
}
