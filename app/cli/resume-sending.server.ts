import os from "node:os";
import { parseArgs } from "node:util";
import { execute, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { ConfigError } from "~/config/config.server";
import { readStandstill, resumeSending as operation } from "~/features/copies/operations.server";
import { channelLabels } from "~/features/delivery/delivery-outcome";
import { holdQueued } from "~/features/delivery/hold-queued.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

/**
 * `resume-sending`: turns a restored copy into the live portal. Without an option it lists what waits; `--queued hold`
 * gives queued messages to people, `--queued send` sends them. An interrupted run continues.
 */
export async function resumeSending(portal: Portal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { queued: { type: "string" } } });
  const { queued } = values;
  const caller = systemCaller("command");
  const standstill = await execute(portal, caller, readStandstill, plainInput({}));
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
  const by = new Date(`${madeAt.replace(" ", "T")}Z`);
  for (let held = 0; ;) {
    const { data } = await execute(portal, systemCaller("command"), holdQueued, plainInput({ by }));
    const more = Number(data?.held ?? 0);
    if (more === 0) return held;
    held += more;
  }
}
