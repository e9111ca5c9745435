import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn, startServer } from "../../scripts/test-server.mjs";
import { pageForm } from "../support/form-ticket";
import { type DemoPortal, inDatabaseOf } from "../support/portals/demo-portal";
import { copyDemoData } from "../support/demo-data";

/** What a secretary meets of other clinics' users and clinics, by every route (pages and settings: access.test.ts). */
let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;
const inDatabase: DemoPortal["inDatabase"] = (work) => inDatabaseOf(dataDir, work);
const cookies = new Map<string, string>();

interface User {
  userId: number;
  userName: string;
  fullName: string;
  clinicIds: number[];
  clinicNames: string[];
}
interface Clinic {
  clinicId: number;
  name: string;
}
let ownClinics: number[];
let foreignUsers: User[];
let shared: User[];
let foreignClinics: Clinic[];

async function ask(who: string, address: string, given?: Record<string, string | number> | { json: object }) {
  const isJson = given !== undefined && "json" in given;
  const fields = given === undefined || isJson ? {} : pageForm({ inDatabase }, who, given as Record<string, string>);
  const body = isJson
    ? JSON.stringify((given as { json: object }).json)
    : new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  const answer = await fetch(portal.origin + address, {
    method: given ? (isJson ? "PUT" : "POST") : "GET",
    redirect: "manual",
    headers: {
      cookie: cookies.get(who) ?? "",
      ...(given ? { origin: portal.origin, "sec-fetch-site": "same-origin" } : {}),
      ...(given ? { "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded" } : {}),
    },
    ...(given ? { body } : {}),
  });
  return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
}
const json = async (who: string, address: string) => JSON.parse((await ask(who, address)).text);

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-secretary-"));
  copyDemoData(dataDir, 5);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  for (const who of ["admin", "sekretaer"]) cookies.set(who, await signIn(portal.origin, who));
  shareOneUser();
  const users = (await json("admin", "/api/Users?PageSize=100")).entities as User[];
  const clinics = (await json("admin", "/api/Clinics?PageSize=100")).entities as Clinic[];
  ownClinics = users.find(({ userName }) => userName === "sekretaer")!.clinicIds;
  const isOwn = (id: number) => ownClinics.includes(id);
  // Staff belong to no clinic, so they are foreign too.
  foreignUsers = users.filter(({ clinicIds }) => !clinicIds.some(isOwn));
  shared = users.filter(({ clinicIds }) => clinicIds.some(isOwn) && !clinicIds.every(isOwn));
  foreignClinics = clinics.filter(({ clinicId }) => !isOwn(clinicId));
});

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Adds a dentist of the secretary's clinic to another clinic. */
function shareOneUser() {
  inDatabase((database) =>
    database
      .prepare(
        `insert into user_clinic (user_id, clinic_id, is_primary)
         select u.id, (select clinic_id from user_clinic join user on user.id = user_id where user_name = 'tandlaege2'), 0
         from user u where u.user_name = 'tandlaege'`,
      )
      .run(),
  );
}

const account = { firstName: "Ny", lastName: "Person", userName: "overtaget", email: "ny@eksempel.dk", status: 1 };
const clinic = { name: "Overtaget", address: "Åvej 1", zip: "8000", city: "Aarhus", phone: "10000000" };

test("there are others' users and clinics, and a shared user", () => {
  expect(foreignUsers.length).toBeGreaterThan(3);
  expect(shared.map(({ userName }) => userName)).toEqual(["tandlaege"]);
  expect(foreignClinics.length).toBeGreaterThan(1);
});

describe("another clinic's user, staff among them", () => {
  test("does not exist by page, data, form or call", async () => {
    for (const { userId, fullName } of foreignUsers) {
      for (const address of [
        `/management/users?aaben=${userId}`,
        `/management/users?aaben=${userId}&_data=routes%2Fmanagement.users`,
      ]) {
        const { text } = await ask("sekretaer", address);
        expect(text, address).not.toContain(fullName);
      }
      expect((await ask("sekretaer", `/api/Users/${userId}`)).status).toBe(404);
      const password = { newPassword: "Overtaget7Kode", repeatPassword: "Overtaget7Kode" };
      for (const fields of [
        { intent: "updateUser", userId, type: 1, ...account },
        { intent: "updateUser", userId, type: 0, ...account },
        { intent: "setUserPassword", userId, ...password },
      ])
        expect((await ask("sekretaer", "/management/users", fields)).status, fields.intent).toBe(404);
      expect((await ask("sekretaer", "/api/Users", { json: { userId, ...account, isSecretary: true } })).status).toBe(
        404,
      );
      expect(
        (await ask("sekretaer", "/api/Users/admin", { json: { userId, ...account, isSurgeon: true } })).status,
      ).toBe(403);
      const reset = { newPassword: "Overtaget7Kode", userIdToResetPassword: userId };
      expect((await ask("sekretaer", "/api/Account/password", { json: reset })).status).toBe(404);
    }
  });

  test("stands in no list, count or suggestion, whatever is searched for", async () => {
    const own = await json("sekretaer", "/api/Users?PageSize=100");
    const seen = own.entities as User[];
    expect(seen.length).toBe(own.totalEntities);
    for (const user of foreignUsers) {
      expect(seen.map(({ userId }) => userId)).not.toContain(user.userId);
      const search = encodeURIComponent(user.userName);
      expect(await json("sekretaer", `/api/Users?Search=${search}`), user.userName).toMatchObject({ totalEntities: 0 });
    }
    const named = JSON.stringify(await json("sekretaer", "/api/Doctors"));
    for (const { fullName } of foreignUsers) expect(named).not.toContain(`"${fullName}"`);
  });
});

test("a shared user is read without its name, changed by staff alone", async () => {
  for (const { userId, clinicNames, clinicIds } of shared) {
    const foreign = clinicNames.filter((_, index) => !ownClinics.includes(clinicIds[index]!));
    const page = await ask("sekretaer", `/management/users?aaben=${userId}`);
    const data = await ask("sekretaer", `/management/users?aaben=${userId}&_data=routes%2Fmanagement.users`);
    const call = await ask("sekretaer", `/api/Users/${userId}`);
    expect([page.status, data.status, call.status]).toEqual([200, 200, 200]);
    for (const name of foreign) for (const { text } of [page, data, call]) expect(text).not.toContain(name);
    for (const clinicId of clinicIds.filter((id) => !ownClinics.includes(id)))
      expect(await json("sekretaer", `/api/Users?ClinicId=${clinicId}`)).toMatchObject({ totalEntities: 0 });
    expect((await ask("sekretaer", "/api/Users", { json: { userId, ...account, isSecretary: true } })).status).toBe(
      403,
    );
    const reset = { newPassword: "Overtaget7Kode", userIdToResetPassword: userId };
    expect((await ask("sekretaer", "/api/Account/password", { json: reset })).status).toBe(403);
  }
});

test("another clinic does not exist by page, data, form, call or search", async () => {
  const list = await json("sekretaer", "/api/Clinics?PageSize=100");
  expect((list.entities as Clinic[]).map(({ clinicId }) => clinicId).sort()).toEqual([...ownClinics].sort());
  expect(list.totalEntities).toBe(ownClinics.length);
  for (const { clinicId, name } of foreignClinics) {
    for (const address of [
      `/management/clinics?aaben=${clinicId}`,
      `/management/clinics?aaben=${clinicId}&_data=routes%2Fmanagement.clinics`,
      "/management/users",
      "/management/users/opret",
    ])
      expect((await ask("sekretaer", address)).text, address).not.toContain(name);
    const search = encodeURIComponent(name);
    expect((await json("sekretaer", `/api/Clinics?Search=${search}`)).entities).toEqual([]);
    const fields = { clinicId, ...clinic, email: "a@eksempel.dk" };
    expect((await ask("sekretaer", "/management/clinics", { intent: "updateClinic", ...fields })).status).toBe(404);
    expect((await ask("sekretaer", "/api/Clinics", { json: fields })).status).toBe(404);
  }
});
