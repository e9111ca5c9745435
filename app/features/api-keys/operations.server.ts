import { z } from "zod";
import { type KeyScope, keyScopes, scopesIn, scopesOfAllClinics, writingScopes } from "~/access/actor";
import {
  findApiKeyName,
  findApiKeys,
  insertApiKey,
  isMember,
  revokeApiKey as endKey,
} from "~/access/api-key-store.server";
import { change, external, read, type ReadContext, wholeNumber, keyedForm } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findChosenClinic, findClinicChoices } from "~/features/directory/operations.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { addDays } from "date-fns";
import { newApiKey } from "~/access/api-keys.server";
import { isNetwork } from "~/access/sites.server";
import { findByUserName } from "~/features/accounts/store.server";
import { askOwnPassword, ownPassword } from "~/features/accounts/passwords.server";
import { ACTIVE } from "~/features/directory/activity";
import { kindOf } from "~/features/people/role-names";
import { requiredText, text, typedChoice } from "~/text/fields.server";
import { isLabelOrNone } from "~/text/typed-choice";
import { keyLives, MAX_CALLS_A_MINUTE } from "./scope-words";

/** 'Tilbagekald': refuses the key from its next call on. Says so if it has ended already. Throws `notInScope`. */
export const revokeApiKey = change({
  name: "revokeApiKey",
  permission: "apiKey.manage",
  input: z.object({ keyId: wholeNumber.positive() }),
  async run({ tx, person, now, auditChange }, { keyId }) {
    const key = await findApiKeyName(tx, keyId);
    if (key === undefined) throw new Refusal("notInScope", { text: "Nøglen findes ikke." });
    const isEnded = await endKey(tx, keyId, person.id, now);
    auditChange([], `key ${keyId} '${key.name}'`);
    return {
      to: paths.apiKeys(),
      flash: isEnded
        ? { tone: "success", text: `Nøglen »${key.name}« er tilbagekaldt.` }
        : { tone: "info", text: `Nøglen »${key.name}« var allerede tilbagekaldt.` },
    };
  },
});

const MAX_SHOWN = 200;

/**
 * The newest 200 API keys without their secrets; moments are UTC. `revoke` is the key whose revocation must be
 * confirmed; `question` is null if that key is unknown or already revoked.
 */
export const readApiKeys = read({
  name: "readApiKeys",
  permission: "apiKey.manage",
  input: z.object({ revoke: wholeNumber.positive().nullish().catch(null) }),
  async run({ db, person, now }, { revoke }) {
    const rows = await findApiKeys(db, { limit: MAX_SHOWN });
    const keyToRevoke = revoke ? await findApiKeyName(db, revoke) : undefined;
    return {
      clinics: await findClinicChoices(db, person),
      question:
        keyToRevoke && keyToRevoke.revokedAt === null
          ? {
              id: keyToRevoke.id,
              name: keyToRevoke.name,
              lastUsedAt: keyToRevoke.lastUsedAt,
            }
          : null,
      keys: rows.map((row) => ({
        id: row.id,
        name: row.name,
        hint: row.keyHint,
        scopes: scopesIn(row.scopes),
        clinicName: row.clinicName,
        userName: row.userName,
        maker: fullName({ firstName: row.makerFirstName, lastName: row.makerLastName }),
        addresses: row.addresses.split(" ").filter(Boolean),
        callsPerMinute: row.callsPerMinute,
        expiresAt: row.expiresAt,
        lastUsedAt: row.lastUsedAt,
        state: stateOf(row, toMoment(now)),
      })),
    };
  },
});

const stateOf = (row: { revokedAt: string | null; expiresAt: string }, now: string) =>
  row.revokedAt !== null ? ("revoked" as const) : row.expiresAt <= now ? ("expired" as const) : ("active" as const);

const MAX_ADDRESSES = 50;
const NO_SCOPE = "Vælg mindst én ting, som nøglen må.";

const CHOOSE_LISTED = "Vælg en klinik fra listen.";

const input = keyedForm
  .extend({
    name: requiredText("Skriv et navn.", 60),
    scopes: z.array(z.enum(keyScopes), NO_SCOPE).min(1, NO_SCOPE),
    reach: z.enum(["all", "clinic"], "Vælg, hvilke henvisninger nøglen gælder."),
    clinicId: z.coerce.number<unknown>("Vælg en klinik.").int().optional(),
    clinicIdText: typedChoice,
    userName: text(100).default(""),
    lifeDays: z.coerce
      .number<unknown>("Vælg, hvor længe nøglen gælder.")
      .pipe(z.literal(keyLives.map(({ value }) => value))),
    callsPerMinute: z.coerce
      .number<unknown>("Skriv et helt tal.")
      .int("Skriv et helt tal.")
      .min(1, "Mindst 1.")
      .max(MAX_CALLS_A_MINUTE, `Højst ${MAX_CALLS_A_MINUTE}.`),
    addresses: text(3000)
      .default("")
      .transform((typed) => typed.split(/[\s,;]+/).filter(Boolean))
      .refine((list) => list.length <= MAX_ADDRESSES, `Højst ${MAX_ADDRESSES} adresser.`)
      .refine((list) => list.every(isNetwork), "Skriv IP-adresser eller netværk, fx 192.0.2.7 eller 192.0.2.0/24."),
    currentPassword: ownPassword,
  })
  .superRefine(({ scopes, reach, clinicId, clinicIdText, userName }, context) => {
    const wrong = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (reach === "clinic" && clinicId === undefined)
      wrong("clinicId", clinicIdText === undefined ? "Vælg en klinik." : CHOOSE_LISTED);
    if (reach === "clinic" && has(scopes, scopesOfAllClinics))
      wrong("reach", "Tider og statistik gælder alle klinikker: vælg alle klinikker, eller tag dem ud.");
    if (has(scopes, writingScopes) && userName === "")
      wrong("userName", "Skriv brugernavnet på den, som nøglen skriver i navnet på.");
  });

type Input = z.output<typeof input>;

const has = (scopes: readonly KeyScope[], some: readonly KeyScope[]) => scopes.some((scope) => some.includes(scope));

/**
 * 'Opret nøgle', with the person's password. `data.token` is the key, shown only now; its hash is stored. Repeating the
 * form creates nothing and shows none. Throws `wrongCurrentPassword`, and `invalid` for an inactive clinic or a user
 * who may not be written as.
 */
export const createApiKey = external({
  name: "createApiKey",
  permission: "apiKey.manage",
  idempotent: true,
  input,
  async prepare(context, typed) {
    const clinicId = await clinicOf(context, typed);
    const userId = await writesAs(context, typed, clinicId);
    await askOwnPassword(context, typed.currentPassword, "Skriv din egen adgangskode for at oprette en nøgle.");
    return { clinicId, userId };
  },
  async run({ tx, person, now, auditChange }, typed, { clinicId, userId }) {
    const { token, hint } = newApiKey();
    const { name, scopes, callsPerMinute, addresses } = typed;
    const expiresAt = addDays(now, typed.lifeDays);
    const key = { name, token, hint, scopes, clinicId, userId, creatorId: person.id, addresses, callsPerMinute };
    const id = await insertApiKey(tx, { ...key, expiresAt }, now);
    auditChange(
      [],
      `key ${id} '${name}': ${scopes.join(", ")}; ${clinicId === null ? "all clinics" : `clinic ${clinicId}`}`,
    );
    return { data: { token, name } };
  },
});

async function clinicOf({ db, person }: ReadContext, { reach, clinicId, clinicIdText }: Input): Promise<number | null> {
  if (reach === "all") return null;
  const clinic = await findChosenClinic(db, person, clinicId);
  if (!clinic) throw new Refusal("invalid", { fields: { clinicId: ["Klinikken er ikke aktiv."] } });
  if (!isLabelOrNone(clinic.label, clinicIdText))
    throw new Refusal("invalid", { fields: { clinicId: [CHOOSE_LISTED] } });
  return clinic.value;
}

/**
 * The account a key writes as: a referrer of its clinic, or staff for all clinics. A read-only key belongs to its
 * maker.
 */
async function writesAs({ db, person }: ReadContext, { scopes, userName }: Input, clinicId: number | null) {
  if (!has(scopes, writingScopes)) return person.id;
  const wrong = (sentence: string) => new Refusal("invalid", { fields: { userName: [sentence] } });
  const user = await findByUserName(db, userName);
  if (user === null || user.status !== ACTIVE) throw wrong("Der er ingen aktiv bruger med det brugernavn.");
  const { isStaff } = kindOf(user.roles);
  if (clinicId === null && !isStaff)
    throw wrong("En nøgle til alle klinikker skriver i klinikkens navn: vælg en af personalet.");
  if (clinicId !== null && (isStaff || !(await isMember(db, user.id, clinicId))))
    throw wrong("Brugeren hører ikke til klinikken.");
  return user.id;
}
