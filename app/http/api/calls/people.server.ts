import { z } from "zod";
import type { ResultOf } from "~/access/operation.server";
import { MAX_SELECTED } from "~/features/merging/merge-words";
import { accountTypes } from "~/features/people/role-names";
import { createUser, readNewUser } from "~/features/people/create-user.server";
import { listUsers } from "~/features/people/user-list.server";
import { mergeUsers } from "~/features/people/merge-users.server";
import { readUser, updateUser } from "~/features/people/update-user.server";
import { userColumns, userView } from "~/features/people/user-list";
import { type Ask, call, id } from "~/http/api/api-route.server";
import { listParams, moment, requestedPage, rowsOf, text } from "./call-shapes.server";

const listed = z.object({
  userId: z.int(),
  fullName: z.string(),
  userName: z.string(),
  clinicNames: z.array(z.string()),
  clinicIds: z.array(z.int()),
  roles: z.array(z.string()),
  status: z.int(),
  createDate: moment,
});

const user = z.object({
  userId: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  userName: z.string(),
  email: z.string(),
  status: z.int(),
  isAdmin: z.boolean(),
  isSurgeon: z.boolean(),
  isSecretary: z.boolean(),
  sendEndingLettersViaEDI: z.boolean().nullable(),
  dentistExternalId: text,
  ediDentistId: z.number().nullable(),
  clinicId: z.int().nullable(),
  phone: text,
  mobilePhone: text,
  creatorUserName: text,
  createDate: moment,
  lastPasswordResetDate: moment.nullable(),
  acceptedConditionsAgreementDate: moment.nullable(),
  lastActiveDate: moment.nullable(),
  version: z.int(),
});

/** A number as `GET /Users/{id}` gives it, or text, which keeps its leading zeros. */
const givenEdiId = z.union([z.int(), z.string()]).nullish();

const ediIdGiven = (given: z.output<typeof givenEdiId>) =>
  typeof given === "number" ? { ediDentistNumber: given } : { ediDentistId: given ?? undefined };

const userAnswer = (found: ResultOf<typeof readUser>): z.output<typeof user> => ({
  userId: found.id,
  firstName: found.firstName,
  lastName: found.lastName,
  userName: found.userName,
  email: found.email,
  status: found.status,
  isAdmin: found.isStaff,
  isSurgeon: found.isSurgeon,
  isSecretary: found.isSecretary,
  sendEndingLettersViaEDI: found.sendsEndingLettersViaEdi,
  dentistExternalId: found.dentistExternalId,
  ediDentistId: found.ediDentistId ? Number(found.ediDentistId) : null,
  clinicId: found.clinics[0]?.id ?? null,
  phone: found.phone,
  mobilePhone: found.mobilePhone,
  creatorUserName: found.creatorUserName,
  createDate: found.createdAt,
  lastPasswordResetDate: found.lastPasswordResetAt,
  acceptedConditionsAgreementDate: found.acceptedConditionsAt,
  lastActiveDate: found.lastActiveAt,
  version: found.version,
});

const newAccount = z.object({
  firstName: z.string(),
  lastName: z.string(),
  userName: z.string(),
  email: z.string(),
  password: z.string().nullish(),
  passwordConfirm: z.string().nullish(),
  status: z.int().optional(),
});

const changed = z.object({
  userId: id,
  firstName: z.string(),
  lastName: z.string(),
  userName: z.string(),
  email: z.string(),
  status: z.int(),
  currentPassword: z.string().optional(),
});

const withoutNull = (sent: object) => Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null));

const made = z.object({ userId: z.int() });
const passwordNames = { newPassword: "password", repeatPassword: "passwordConfirm" };

async function createAccount(
  ask: Ask,
  sent: z.output<typeof newAccount> & { formKey: string; type: number; clinicId?: number },
) {
  const { password, passwordConfirm, ...rest } = sent;
  const passwords = { newPassword: password || null, repeatPassword: passwordConfirm || null };
  const { to } = await ask(createUser, withoutNull({ ...rest, ...passwords }));
  return { userId: Number(to!.split("#r")[1]) };
}

/** The clinic of users who may only create users there. */
async function onlyClinic(ask: Ask) {
  const { clinics, mayMakeStaff } = await ask(readNewUser, {});
  return mayMakeStaff ? undefined : clinics[0]?.value;
}

export const peopleCalls = [
  call("GET /Users", {
    summary: "The users in one's scope; OrderBy 0 user name, 1 creation date. A secretary's are those of their clinics",
    scope: null,
    operation: listUsers,
    params: {
      ...listParams(userColumns),
      UserStatus: z.int().optional(),
      ClinicId: id.optional(),
      Search: z.string().optional(),
      onlyEmptyDentistId: z.boolean().optional(),
    },
    names: { status: "UserStatus", clinicId: "ClinicId", search: "Search" },
    answer: { schema: z.object({ entities: z.array(listed), totalEntities: z.int() }) },
    async run(ask, { params }) {
      const list = await ask(listUsers, {
        ...requestedPage(params, userView.defaultSort),
        filter: {
          status: params.UserStatus,
          clinicId: params.ClinicId,
          search: params.Search,
          onlyEmptyDentistId: params.onlyEmptyDentistId ? true : undefined,
        },
      });
      return {
        entities: rowsOf(list, params.CurrentPage).map((row) => ({
          userId: row.id,
          fullName: row.name,
          userName: row.userName,
          clinicNames: row.clinics.map(({ name }) => name),
          clinicIds: row.clinics.map((clinic) => clinic.id),
          roles: row.roles,
          status: row.status,
          createDate: row.createdAt,
        })),
        totalEntities: list.total,
      };
    },
  }),
  call("POST /Users", {
    summary:
      "Make a referrer or a dentist's secretary; without a password they are mailed a link. Others than staff make them in their own clinic",
    scope: null,
    operation: createUser,
    json: newAccount.extend({
      isSecretary: z.boolean().optional(),
      phone: z.string().nullish(),
      mobilePhone: z.string().nullish(),
      dentistExternalId: z.string().nullish(),
      clinicId: id.nullish(),
    }),
    names: passwordNames,
    answer: { schema: made },
    run: async (ask, { body, formKey }) =>
      createAccount(ask, {
        ...body,
        clinicId: body.clinicId ?? (await onlyClinic(ask)),
        formKey,
        type: accountTypes.referrer,
      }),
  }),
  call("POST /Users/admin", {
    summary: "Make an account of staff's",
    scope: null,
    operation: createUser,
    permission: "directory.manageAll",
    json: newAccount.extend({ isSurgeon: z.boolean().optional() }),
    names: passwordNames,
    answer: { schema: made },
    run: (ask, { body, formKey }) => createAccount(ask, { ...body, formKey, type: accountTypes.staff }),
  }),
  call("PUT /Users", {
    summary:
      "Change a referrer or a dentist's secretary; what is left out of phone, mobilePhone and the ids is emptied. What lets oneself in changes with currentPassword",
    scope: null,
    operation: updateUser,
    json: changed.extend({
      isSecretary: z.boolean(),
      sendEndingLettersViaEDI: z.boolean().optional(),
      phone: z.string().nullish(),
      mobilePhone: z.string().nullish(),
      dentistExternalId: z.string().nullish(),
      ediDentistId: givenEdiId,
    }),
    names: { sendEndingLettersViaEdi: "sendEndingLettersViaEDI" },
    async run(ask, { body: { sendEndingLettersViaEDI, ediDentistId, ...body }, seenVersion }) {
      const given = {
        ...body,
        ...ediIdGiven(ediDentistId),
        sendEndingLettersViaEdi: sendEndingLettersViaEDI,
        seenVersion,
      };
      await ask(updateUser, { ...withoutNull(given), type: accountTypes.referrer });
    },
  }),
  call("PUT /Users/admin", {
    summary: "Change an account of staff's; what lets its owner in, with one's own password as currentPassword",
    scope: null,
    operation: updateUser,
    permission: "directory.manageAll",
    json: changed.extend({ isSurgeon: z.boolean() }),
    run: (ask, { body, seenVersion }) => ask(updateUser, { ...body, seenVersion, type: accountTypes.staff }),
  }),
  call("POST /Users/merge", {
    summary:
      "Merge referrers into dentistIdToKeep, who keeps their user name and password; what is left out of phone, mobilePhone and the ids is emptied. What the others have is moved in the background",
    scope: null,
    operation: mergeUsers,
    json: z.object({
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      phone: z.string().nullish(),
      mobilePhone: z.string().nullish(),
      status: z.int(),
      isSecretary: z.boolean(),
      dentistExternalId: z.string().nullish(),
      sendEndingLettersViaEDI: z.boolean(),
      ediDentistId: givenEdiId,
      dentistIdToKeep: id,
      dentistIdsToMerge: z
        .array(id)
        .min(1)
        .max(MAX_SELECTED - 1),
    }),
    names: { sendEndingLettersViaEdi: "sendEndingLettersViaEDI", keepId: "dentistIdToKeep", pick: "dentistIdsToMerge" },
    async run(ask, { body: { dentistIdToKeep, dentistIdsToMerge, sendEndingLettersViaEDI, ediDentistId, ...values } }) {
      const pick = [...new Set([dentistIdToKeep, ...dentistIdsToMerge])].map(String);
      const edi = { ...ediIdGiven(ediDentistId), sendEndingLettersViaEdi: sendEndingLettersViaEDI };
      const given = { ...withoutNull(values), ...edi };
      await ask(mergeUsers, { ...given, keepId: dentistIdToKeep, pick, confirmed: "on" });
    },
  }),
  call("GET /Users/{id}", {
    summary: "One user in one's scope",
    scope: null,
    operation: readUser,
    params: { id },
    answer: { schema: user },
    run: async (ask, { params }) => userAnswer(await ask(readUser, { userId: params.id })),
  }),
];
