import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { invalidateClinics } from "~/features/clinics/invalidate-clinics.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { insertClinic } from "~/features/directory/find-clinic.server";
import { invalidateUsers, addUser } from "~/features/people/add-user.server";
import { flag } from "~/features/people/user.schema.server";
import { paths } from "~/paths";
import { lockDirectoryPlan, updateDirectoryPlan } from "./store.server";
import { judgeLines, type KeptLine } from "./plan-import.server";

/**
 * 'Importér': creates in one transaction what the dry run showed as new and, if chosen, mails new users their link. A
 * line whose effect has changed is shown again instead. Repeating the form imports once. Throws `invalid` when the dry
 * run is gone.
 */
export const importDirectory = change({
  name: "importDirectory",
  permission: "directory.manageAll",
  idempotent: true,
  input: z.object({ planId: z.coerce.number().int(), sendLinks: flag }),
  async run(context, { planId, sendLinks }) {
    const { tx, portal, person, now, auditChange } = context;
    const plan = await lockDirectoryPlan(tx, portal.secrets, { id: planId, userId: person.id, now });
    if (!plan)
      throw new Refusal("invalid", { text: "Prøvekørslen er her ikke længere. Vælg filen igen; intet er importeret." });
    const { kind, lines: shown } = plan;
    const again = await judgeLines(tx, kind, shown.map(readAgain));
    const isAsShown = (line: KeptLine, at: number) => isSame(line, shown[at]!);
    const lines = again.filter((line, at) => isAsShown(line, at) && line.outcome === "new");
    const changed = again
      .filter((line, at) => !isAsShown(line, at))
      .map((line): KeptLine => ({ ...line, isShownAgain: true }));
    await makeAll(context, lines, sendLinks);
    await updateDirectoryPlan(tx, portal.secrets, planId, changed);
    auditChange([], `${kind} imported from a file: ${lines.length}`);
    const canMail = isChannelSet(portal, "email");
    const text = resultText({ made: lines, all: shown.length, changed: changed.length, sendLinks, canMail });
    if (changed.length > 0) return { to: paths.directoryDryRun(planId), flash: { tone: "info" as const, text } };
    return { to: kind === "klinikker" ? paths.clinics : paths.users, flash: { tone: "success" as const, text } };
  },
});

const readAgain = ({ line, name, value, errors }: KeptLine) => ({ line, name, value, errors });

const isSame = (one: KeptLine, other: KeptLine) =>
  one.outcome === other.outcome &&
  ("clinicId" in one ? one.clinicId : null) === ("clinicId" in other ? other.clinicId : null);

async function makeAll(context: ChangeContext, lines: readonly KeptLine[], isInvited: boolean): Promise<void> {
  for (const line of lines) {
    if (line.kind === "klinikker") await insertClinic(context.tx, line.value!, context.now);
    else {
      const { clinicName: _title, ...user } = line.value!;
      await addUser(context, { ...user, isStaff: false, clinicIds: [line.clinicId!], isInvited });
    }
  }
  invalidateClinics(context);
  invalidateUsers(context);
}

const MAILED = "De nye brugere får en mail med et link.";
const NOT_MAILED = "Mail er ikke indstillet, så der er ikke sendt noget link. Send det fra hver bruger, når det er.";

function resultText({
  made,
  all,
  changed,
  sendLinks,
  canMail,
}: {
  made: readonly KeptLine[];
  all: number;
  changed: number;
  sendLinks: boolean;
  canMail: boolean;
}): string {
  const left = all - made.length - changed;
  return [
    `${made.length} af ${all} linjer er importeret.`,
    sendLinks && made.some(({ kind }) => kind === "henvisere") ? (canMail ? MAILED : NOT_MAILED) : [],
    left > 0 ? `${left} er sprunget over, som prøvekørslen sagde.` : [],
    changed > 0
      ? `${changed} er vurderet igen, fordi portalen er ændret siden prøvekørslen: se ${changed === 1 ? "den" : "dem"} her.`
      : [],
  ]
    .flat()
    .join(" ");
}
