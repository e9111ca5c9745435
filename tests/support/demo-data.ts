import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDemoData } from "../../scripts/test-server.mjs";

const templates = new Map<number, string>();

/** Puts the demo's accounts and `referrals` bulk rows into a data folder; they are made once in each worker. */
export function copyDemoData(dataDir: string, referrals: number): void {
  let template = templates.get(referrals);
  if (template === undefined) {
    template = mkdtempSync(path.join(os.tmpdir(), "portal-demo-template-"));
    const folder = template;
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    makeDemoData(template, referrals);
    templates.set(referrals, template);
  }
  cpSync(template, dataDir, { recursive: true });
}
