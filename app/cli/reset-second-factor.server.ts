import { parseArgs } from "node:util";
import { execute, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { ConfigError } from "~/config/config.server";
import { resetSecondFactor as operation } from "~/features/account-security/operations.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

/** Removes the second factor of an account whose owner has lost it when no other administrator can. */
export async function resetSecondFactor(portal: Portal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { "user-name": { type: "string" } } });
  const userName = values["user-name"];
  if (!userName) throw new ConfigError("reset-second-factor --user-name NAME");
  try {
    await execute(portal, systemCaller("command"), operation, plainInput({ userName }));
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigError(error.text ?? `Kontoen ${userName} findes ikke.`);
    throw error;
  }
  console.log(`Totrinslogin er nulstillet for ${userName}. Alle sessioner er slut.`);
}
