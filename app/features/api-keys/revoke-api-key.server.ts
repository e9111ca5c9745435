import { z } from "zod";
import { findApiKeyName, revokeApiKey as endKey } from "~/access/api-key-store.server";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";

/** 'Tilbagekald': refuses the key from its next call on. Says so if it has ended already. Throws `notInScope`. */
export const revokeApiKey = change({
  name: "revokeApiKey",
  permission: "apiKey.manage",
  input: z.object({ keyId: z.coerce.number().int().positive() }),
  async run({ tx, person, now, auditChange }, { keyId }) {
    const key = await findApiKeyName(tx, keyId);
    if (key === undefined) throw new Refusal("notInScope", { text: "Nøglen findes ikke." });
    const isEnded = await endKey(tx, keyId, person.id, now);
    auditChange([], `key ${keyId} '${key.name}'`);
    return {
      to: paths.apiKeys(),
      flash: isEnded
        ? { tone: "success" as const, text: `Nøglen '${key.name}' er tilbagekaldt.` }
        : { tone: "info" as const, text: `Nøglen '${key.name}' var allerede tilbagekaldt.` },
    };
  },
});
