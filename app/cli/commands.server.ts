import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import os from "node:os";
import { execute, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { ConfigError } from "~/config/config.server";
import { createAdminAccount } from "~/features/accounts/create-account.server";
import { passwordErrors } from "~/features/accounts/password";
import type { Portal } from "~/portal.server";
import { readStandstill, resumeSending as operation } from "~/features/copies/operations.server";
import { channelLabels } from "~/features/delivery/delivery-outcome";
import { holdQueued } from "~/features/delivery/settle-messages.server";
import { systemCaller } from "~/access/system-caller";
import { beginRecount, finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { resetSecondFactor as resetOperation } from "~/features/account-security/operations.server";

const USAGE =
  "create-admin --user-name NAME --first-name NAME --last-name NAME --email ADDRESS; the password is read from standard input";

/** Creates an administrator's account, such as the first in production. The password is never an argument. */
export async function createAdmin(portal: Portal, args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: { "user-name": text, "first-name": text, "last-name": text, email: text },
  });
  const [userName, firstName, lastName, email] = [
    values["user-name"],
    values["first-name"],
    values["last-name"],
    values.email,
  ];
  if (!userName || !firstName || !lastName || !email) throw new ConfigError(USAGE);
  const password = await readPassword();
  const errors = passwordErrors(password);
  if (errors.length > 0) throw new ConfigError(errors.join("\n"));
  const system = {
    actor: { kind: "system" as const, job: "command" },
    site: "inside" as const,
    address: "",
    sessionId: null,
  };
  try {
    await execute(portal, system, createAdminAccount, plainInput({ userName, firstName, lastName, email, password }));
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigError(Object.values(error.fields).flat().join("\n") || error.name);
    throw error;
  }
  console.log(`Kontoen ${userName} er oprettet.`);
}

async function readPassword(): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) {
    const lines = createInterface({ input: stdin });
    for await (const line of lines) return line;
    return "";
  }
  // The terminal echoes into this discarding stream, so that nothing typed is shown.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true });
  stdout.write("Adgangskode: ");
  try {
    return await lines.question("");
  } finally {
    lines.close();
    stdout.write("\n");
  }
}

/**
 * `resume-sending`: turns a restored copy into the live portal. Without an option it lists what waits; `--queued hold`
 * gives queued messages to people, `--queued send` sends them. An interrupted run continues.
 */
export async function resumeSending(portal: Portal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { queued: { type: "string" } } });
  const { queued } = values;
  const caller = systemCaller("command");
  const standstill = await execute(portal, caller, readStandstill);
  if (standstill === null) throw new ConfigError("Portalen er ikke en kopi: intet står stille.");
  const counts = standstill.queued.map(({ channel, count }) => `${channelLabels[channel]}: ${count}`);
  if (queued !== "hold" && queued !== "send")
    throw new ConfigError(
      [
        `Kopien er fra ${standstill.madeAt} (UTC). I kø dengang: ${counts.length === 0 ? "intet" : counts.join(", ")}.`,
        "Vælg, hvad der skal ske med dem:",
        "  --queued hold  portalen kan have sendt dem, efter at kopien blev taget: de lægges under Fejl, og nogen ser efter",
        "  --queued send  portalen kan ikke have sendt dem: de sendes nu",
      ].join("\n"),
    );
  const held = queued === "hold" ? await hold(portal, standstill.madeAt) : 0;
  try {
    await execute(portal, caller, operation, plainInput({ by: os.userInfo().username, queued, held }));
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigError(error.text ?? error.name);
    throw error;
  }
  console.log(
    queued === "hold"
      ? `Portalen sender og henter igen. ${held} beskeder fra kopien ligger under Fejl.`
      : `Portalen sender og henter igen${counts.length > 0 ? `, også det, der var i kø (${counts.join(", ")})` : ""}.`,
  );
}

async function hold(portal: Portal, madeAt: string): Promise<number> {
  const by = new Date(madeAt);
  for (let held = 0; ;) {
    const { data } = await execute(portal, systemCaller("command"), holdQueued, plainInput({ by }));
    const more = Number(data?.held ?? 0);
    if (more === 0) return held;
    held += more;
  }
}

/**
 * `rebuild-statistics`: recounts every referral in batches while the portal runs. An interrupted run continues when the
 * command or the worker runs again.
 */
export async function rebuildStatistics(portal: Portal): Promise<void> {
  const caller = systemCaller("rebuild-statistics");
  const started = Date.now();
  await execute(portal, caller, beginRecount);
  const counted = await finishRecount(portal, caller);
  console.log(`${counted} henvisninger er talt op på ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Removes the second factor of an account whose owner has lost it when no other administrator can. */
export async function resetSecondFactor(portal: Portal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { "user-name": { type: "string" } } });
  const userName = values["user-name"];
  if (!userName) throw new ConfigError("reset-second-factor --user-name NAME");
  try {
    await execute(portal, systemCaller("command"), resetOperation, plainInput({ userName }));
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigError(error.text ?? `Kontoen ${userName} findes ikke.`);
    throw error;
  }
  console.log(`Totrinslogin er nulstillet for ${userName}. Alle sessioner er slut.`);
}
