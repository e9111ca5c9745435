import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, ConfigFault } from "~/config.server";
import { openPortal, type Portal } from "~/portal.server";
import { createAdmin } from "./create-admin.server";
import { makeBulkDemoData } from "~db/demo/bulk.server";
import { rotateKeys } from "./rotate-keys.server";
import { serve } from "./serve.server";
import { workOnly } from "./work-only.server";

const usage = `Usage: node build/server.js [serve | worker | create-admin | demo-data --referrals N | rotate-keys]`;

/** The commands of the one bundle. Faults of the configuration are printed a line each; the exit code is then 1. */
export async function runCli(args: string[], readConfig: () => Config): Promise<void> {
  const [command = "serve", ...rest] = args;
  try {
    const config = readConfig();
    const open = () => openPortal(config, { previewWorker: besideBundle("preview-worker.js") });
    if (command === "serve") return await serve(await open());
    if (command === "worker") return await workOnly(await open());
    const commands: Record<string, (portal: Portal, args: string[]) => Promise<void>> = {
      "create-admin": createAdmin,
      "demo-data": makeBulkDemoData,
      "rotate-keys": rotateKeys,
    };
    const run = commands[command];
    if (!run) throw new ConfigFault(usage);
    const portal = await open();
    try {
      await run(portal, rest);
    } finally {
      await portal.close();
    }
  } catch (error) {
    console.error(error instanceof ConfigFault || isOptionFault(error) ? error.message : error);
    process.exitCode = 1;
  }
}

/** An option that a command does not have, as Node tells it. */
function isOptionFault(error: unknown): error is Error {
  return String((error as { code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS_");
}

function besideBundle(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), name);
}
