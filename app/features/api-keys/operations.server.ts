import { z } from "zod";
import { scopesIn } from "~/access/api-key-scopes";
import { findApiKeyName, findApiKeys, revokeApiKey as endKey } from "~/access/api-key-store.server";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findClinicChoices } from "~/features/directory/find-choices.server";
import { paths } from "~/paths";
import { isoMoment, toMoment } from "~/text/dates";
import { fullName } from "~/text/names";

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

const MAX_SHOWN = 200;

export const readApiKeys = read({
  name: "readApiKeys",
  permission: "apiKey.manage",
  input: z.object({ revoke: z.coerce.number().int().positive().nullish().catch(null) }),
  async run({ db, person, now }, { revoke }) {
    const rows = await findApiKeys(db, { limit: MAX_SHOWN });
    const keyToRevoke = revoke ? await findApiKeyName(db, revoke) : undefined;
    return {
      clinics: await findClinicChoices(db, person),
      question:
        keyToRevoke && keyToRevoke.revoked_at === null
          ? {
              id: keyToRevoke.id,
              name: keyToRevoke.name,
              lastUsedAt: keyToRevoke.last_used_at && isoMoment(keyToRevoke.last_used_at),
            }
          : null,
      keys: rows.map((row) => ({
        id: row.id,
        name: row.name,
        hint: row.key_hint,
        scopes: scopesIn(row.scopes),
        clinicName: row.clinic_name,
        userName: row.user_name,
        maker: fullName({ first_name: row.maker_first_name, last_name: row.maker_last_name }),
        addresses: row.addresses.split(" ").filter(Boolean),
        callsPerMinute: row.calls_per_minute,
        expiresAt: isoMoment(row.expires_at),
        lastUsedAt: row.last_used_at && isoMoment(row.last_used_at),
        state: stateOf(row, toMoment(now)),
      })),
    };
  },
});

const stateOf = (row: { revoked_at: string | null; expires_at: string }, now: string) =>
  row.revoked_at !== null ? ("revoked" as const) : row.expires_at <= now ? ("expired" as const) : ("active" as const);
