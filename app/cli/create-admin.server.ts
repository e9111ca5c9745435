import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { execute, plainInput } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { ConfigError } from "~/config/config.server";
import { createAdminAccount } from "~/features/accounts/create-admin-account.server";
import { passwordErrors } from "~/features/accounts/password";
import type { Portal } from "~/portal.server";

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

/** Reads the password without echo, or from a pipe. */
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
