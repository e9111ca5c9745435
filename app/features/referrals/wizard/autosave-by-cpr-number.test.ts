import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, patientForm } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { discardAutosave, saveAutosave, openTyped } from "./operations.server";
import { readWizard } from "./read-wizard.server";
import { savePatient } from "./save-patient.server";
import { findAutosaves, autosaveKeyOf } from "~/features/referrals/store/wizard-store.server";

const numRuns = Number(process.env.FUZZ_RUNS ?? 40);

/** The last four digits of the numbers used; each text names the number it was typed under. */
const FOURS = ["7001", "7002", "7003"] as const;
type Four = (typeof FOURS)[number];
const NAMES = ["comment", "diagnose", "profession", "previousTreatment"] as const;
const markOf = (four: Four | null) => `typed-for-${four ?? "none"}`;

/** A form as a browser holds it (steps/patient/use-autosave.ts). */
interface Tab {
  formKey: string;
  referralId: number | undefined;
  owner: Four | null;
  box: string;
  texts: Partial<Record<(typeof NAMES)[number], string>>;
  version: number | null;
}

const step = fc.oneof(
  fc.record({ does: fc.constant("type" as const), tab: fc.nat(1), name: fc.constantFrom(...NAMES) }),
  fc.record({ does: fc.constant("number" as const), tab: fc.nat(1), four: fc.constantFrom(...FOURS) }),
  fc.record({ does: fc.constant("half" as const), tab: fc.nat(1) }),
  fc.record({ does: fc.constant("autosave" as const), tab: fc.nat(1) }),
  fc.record({
    does: fc.constant("confused" as const),
    tab: fc.nat(1),
    four: fc.constantFrom(...FOURS),
    followsWarning: fc.boolean(),
  }),
  fc.record({
    does: fc.constant("open" as const),
    tab: fc.nat(1),
    what: fc.constantFrom("draft", "same", "unsaved", "other"),
  }),
  fc.record({ does: fc.constant("next" as const), tab: fc.nat(1) }),
  fc.record({ does: fc.constant("drop" as const), tab: fc.nat(1) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

forEachDatabase("autosave by form and CPR number", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let draftId: number;
  let count = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    draftId = await aDraft(portal, dentist, { cpr4: "7001" });
  });

  const empty = (formKey: string): Tab => ({
    formKey,
    referralId: undefined,
    owner: null,
    box: "",
    texts: {},
    version: null,
  });
  const newKey = () => `form-of-property-${(count += 1)}`;
  const sent = (tab: Tab) => ({
    formKey: tab.formKey,
    referralId: tab.referralId,
    ...(tab.version === null ? {} : { seenVersion: tab.version }),
    cpr6: tab.box === "" ? "" : "610180",
    cpr4: tab.box,
    ...tab.texts,
  });
  const read = (query: { referralId?: number; formKey?: string }) =>
    portal.as(dentist, readWizard, { ...query, step: 1 });

  /** Fills the form from the loader's answer only, as the page does. */
  async function opened(query: { referralId?: number; formKey?: string }): Promise<Tab> {
    const page = await read(query);
    if ("redirectTo" in page) return opened({ referralId: Number(/kladde=(\d+)/.exec(String(page.redirectTo))?.[1]) });
    const patient = (page.patient ?? {}) as Record<string, string>;
    const owner = FOURS.find((four) => four === patient.cpr4) ?? null;
    const texts = Object.fromEntries(NAMES.flatMap((name) => (patient[name] ? [[name, patient[name]]] : [])));
    for (const text of Object.values(texts)) expect([markOf(owner), markOf(null)], "filled in").toContain(text);
    return {
      // Copies of a draft's form have a key of their own.
      formKey: page.formKey || newKey(),
      referralId: page.referralId ?? undefined,
      owner,
      box: patient.cpr4 ?? "",
      texts,
      version: page.version,
    };
  }

  async function autosave(tab: Tab) {
    await portal.as(dentist, saveAutosave, {
      ...sent(tab),
      typedFor: tab.owner === null ? "" : `610180-${tab.owner}`,
      ...(tab.owner === null ? {} : { continued: "on" }),
    });
  }

  const acts: { [D in Step["does"]]: (tab: Tab, step: Extract<Step, { does: D }>) => Promise<Tab> } = {
    type: async (tab, { name }) => ({ ...tab, texts: { ...tab.texts, [name]: markOf(tab.owner) } }),
    // Typing another complete number opens a new form; unsaved text is saved first.
    number: async (tab, { four }) => {
      if (tab.owner === null || (tab.owner === four && tab.box === four)) return { ...tab, owner: four, box: four };
      if (tab.owner === four) return { ...tab, box: four };
      await autosave(tab);
      return { ...empty(newKey()), owner: four, box: four };
    },
    half: async (tab) => ({ ...tab, box: tab.box.slice(0, 2) }),
    autosave: async (tab) => (await autosave(tab), tab),
    // The boxes hold another number than the text was typed for, e.g. on an outdated page.
    confused: async (tab, { four, followsWarning }) => {
      if (tab.owner === null || tab.owner === four || !followsWarning) return tab;
      expect(
        (await portal.as(dentist, saveAutosave, { ...sent({ ...tab, box: four }), typedFor: `610180-${tab.owner}` }))
          .data,
      ).toEqual({});
      return tab;
    },
    open: async (tab, { what }) => {
      if (what === "draft") return opened({ referralId: draftId });
      if (what === "same")
        return opened(tab.referralId === undefined ? { formKey: tab.formKey } : { referralId: tab.referralId });
      const page = await read({ formKey: newKey() });
      if ("redirectTo" in page) throw new Error("a form that was never saved");
      if (what === "unsaved") return page.unsaved[0] ? opened({ formKey: page.unsaved[0].formKey }) : tab;
      const behind = await read(
        tab.referralId === undefined ? { formKey: tab.formKey } : { referralId: tab.referralId },
      );
      const copy = "redirectTo" in behind ? undefined : behind.underOtherNumbers[0];
      if (!copy) return tab;
      const { to } = await portal.as(dentist, openTyped, { copyId: copy.copyId });
      return opened({ formKey: /form=([\w-]+)/.exec(to!)![1]! });
    },
    next: async (tab) => {
      if (tab.owner === null || tab.box !== tab.owner) return tab;
      const form = { ...patientForm(), ...sent(tab), lastName: "Ærø", desiredTreatment: "48" };
      const done = await portal
        .as(dentist, savePatient, form)
        .catch((error: { name: string }) => ({ refused: error.name }));
      if ("refused" in done) return (expect(done.refused).toBe("conflict"), tab);
      return opened({ referralId: Number(/kladde=(\d+)/.exec(done.to!)![1]) });
    },
    drop: async (tab) => {
      const page = await read(tab.referralId === undefined ? { formKey: tab.formKey } : { referralId: tab.referralId });
      if ("redirectTo" in page || !page.restored) return tab;
      await portal.as(dentist, discardAutosave, { copyId: page.restored.copyId });
      return tab;
    },
  };

  async function mixedUp(): Promise<string[]> {
    const wrong: string[] = [];
    const rows = await portal.db.selectFrom("autosave").select("formKey").distinct().execute();
    for (const { formKey } of rows) {
      for (const { cpr, values } of await findAutosaves(portal.db, portal.secrets, dentist.id, formKey)) {
        const own = [markOf((cpr?.slice(7) ?? null) as Four | null), markOf(null), undefined];
        for (const name of NAMES)
          if (!own.includes(values[name] as string)) wrong.push(`copy under ${cpr}: ${values[name]}`);
      }
    }
    const saved = await portal.db
      .selectFrom("referral")
      .select([
        "id",
        "rowKey",
        "cprEncrypted",
        "comment",
        "diagnose",
        "profession",
        "previousTreatment as previousTreatment",
      ])
      .execute();
    for (const row of saved) {
      const four = sealedCpr.open(portal.secrets, row)?.slice(7) as Four;
      for (const name of NAMES)
        if (row[name] !== null && ![markOf(four), markOf(null)].includes(row[name]))
          wrong.push(`referral of ${four}: ${row[name]}`);
    }
    return wrong;
  }

  test("never restores text under another patient's number, in any order of use", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("new", "draft"),
        fc.array(step, { minLength: 5, maxLength: 25 }),
        async (begins, steps) => {
          await portal.db.deleteFrom("autosave").execute();
          const formKey = newKey();
          const tabs =
            begins === "draft"
              ? [await opened({ referralId: draftId }), await opened({ referralId: draftId })]
              : [empty(formKey), empty(formKey)];
          for (const each of steps) tabs[each.tab] = await acts[each.does](tabs[each.tab]!, each as never);
          expect(await mixedUp()).toEqual([]);
        },
      ),
      { numRuns },
    );
  });

  test("offers a copy under another number, to open as new or to discard", async () => {
    const tab = await opened({ referralId: draftId });
    await autosave({ ...tab, owner: "7002", box: "7002", texts: { comment: markOf("7002") } });
    const page = await read({ referralId: draftId });
    expect(page).toMatchObject({
      restored: null,
      patient: { cpr4: "7001" },
      underOtherNumbers: [{ cpr: "610180-7002" }],
    });
    const { copyId } = (page as { underOtherNumbers: { copyId: number }[] }).underOtherNumbers[0]!;
    const { to } = await portal.as(dentist, openTyped, { copyId });
    expect(await read({ formKey: /form=([\w-]+)/.exec(to!)![1]! })).toMatchObject({
      referralId: null,
      patient: { cpr4: "7002", comment: markOf("7002") },
    });
    expect(await read({ referralId: draftId })).toMatchObject({ underOtherNumbers: [] });
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(portal.as(stranger, openTyped, { copyId })).rejects.toMatchObject({ name: "notInScope" });
    await portal.as(stranger, discardAutosave, { copyId });
    expect(await findAutosaves(portal.db, portal.secrets, dentist.id, autosaveKeyOf(draftId))).toHaveLength(0);
    expect((await portal.db.selectFrom("autosave").select("id").where("id", "=", copyId).execute()).length).toBe(1);
  });

  test("one form in two tabs under two numbers becomes two drafts", async () => {
    const formKey = newKey();
    const save = async (four: Four) =>
      (await portal.as(dentist, savePatient, patientForm({ formKey, cpr4: four, comment: markOf(four) }))).to;
    const [first, second] = [await save("7001"), await save("7002")];
    expect(second).not.toBe(first);
    expect([await save("7001"), await save("7002")]).toEqual([first, second]);
  });
});
