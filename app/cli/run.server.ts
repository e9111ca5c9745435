import { existsSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Config, ConfigError } from "~/config/config.server";
import { StoreFull, StoreUnavailable } from "~/gateways/file-store/port";
import { retention } from "~/features/maintenance/retention";
import { loggedError } from "~/log.server";
import { openPortal } from "~/open-portal.server";
import { withPersons } from "~/gateways/choose.server";
import type { Portal } from "~/portal.server";
import { backup } from "./backup.server";
import { createAdmin, rebuildStatistics, resumeSending, resetSecondFactor } from "./commands.server";
import { grantServing } from "~db/serving-user.server";
import { rotateKeys } from "./rotate-keys.server";
import { restore } from "./restore.server";
import { moveFiles } from "./move-files.server";
import { workOnly } from "./worker.server";

export const usage = `Usage: node build/server.js [serve | worker | migrate | create-admin | demo-data --referrals N | rotate-keys | rebuild-statistics | reset-second-factor | move-files --to STORE | backup FOLDER [--secret FILE] | restore FOLDER | resume-sending]`;

/** Runs the bundle's commands. Configuration errors are printed one per line with exit code 1. */
export async function runCli(args: string[], readConfig: () => Config): Promise<void> {
  const [command = "serve", ...rest] = args;
  process.umask(0o077);
  try {
    const config = readConfig();
    if (command === "backup") refuseMissingDatabase(config);
    const readerProgram = besideBundle("reader-program.js");
    const open = () =>
      openPortal(config, {
        readerProgram,
        acceptUnknownKeys: command === "rotate-keys",
        // A backup must not migrate: an older portal may be running on the database.
        isMigrated: command === "backup",
      });
    if (command === "serve") {
      const { serve } = await import("./serve.server");
      const program = config.production ? null : await demoProgram();
      refuse((await program?.makeDemoDatabase({ config, readerProgram })) ?? null);
      const portal = await open();
      const demo = (await program?.openDemo({ config, readerProgram })) ?? null;
      const personRegister = withPersons(portal.personRegister, demo?.register ?? new Map());
      return await serve({ ...portal, demo, personRegister });
    }
    if (command === "worker") return await workOnly(await open());
    if (command === "restore") return await restore(config, rest, open);
    if (command === "demo-data") {
      return refuse(await (await demoProgram()).addReferrals({ config, readerProgram }, rest));
    }
    const commands: Record<string, (portal: Portal, args: string[]) => Promise<void>> = {
      // The portal's database user has migrated the schema on opening, if it may.
      migrate: async ({ db }) => {
        const { databaseServingUser } = config;
        if (databaseServingUser !== null) await grantServing(db, databaseServingUser, retention.audit.days);
      },
      "create-admin": createAdmin,
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

/** The demo's bundle has its own copy of `ConfigError`, so it returns the message instead of throwing it. */
function refuse(mistake: string | null): void {
  if (mistake !== null) throw new ConfigError(mistake);
}

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
    "DATABASE_URL: this user may not do it: run `migrate` first, and it, `restore` and `rotate-keys` as the user who owns the tables",
  ER_BAD_DB_ERROR: "DATABASE_URL: there is no database of that name",
};

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
  if (code?.startsWith("ERR_PARSE_ARGS_")) return message;
  return code === undefined ? undefined : outsideErrors[code];
}

/** Not part of this bundle: production makes no demo data. */
const demoProgram = () =>
  import(pathToFileURL(besideBundle("demo-data.js")).href) as Promise<typeof import("~/demo/demo-program.server")>;

function besideBundle(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), name);
}
