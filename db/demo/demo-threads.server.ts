import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execute, plainInput } from "~/access/operation.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import { markMessages, writeMessage } from "~/features/messages/operations.server";
import { setSurgeon } from "~/features/referrals/details/operations.server";
import { type DemoLine, threads } from "./content/threads";
import { callerOf, type Story } from "./demo-scenario";

/**
 * Messages about a referral, spread over the days since it was sent. Old threads are answered and read; the newest
 * wait.
 */
export async function addThread(story: Story, referralId: number, sentAt: number, daysOld: number): Promise<void> {
  const { past, clock, random, writer, referrer, staff } = story;
  const chosen = random.pick(
    story.case.tooth === "" ? threads.filter((lines) => !lines.some(({ text }) => text.includes("{t}"))) : threads,
  );
  const isOld = daysOld > 20;
  const lines =
    isOld && chosen.at(-1)!.by === "r" ? [...chosen, { by: "c" as const, text: "Tak, det er noteret." }] : chosen;
  const clinic = random.pick(staff);
  const side = { r: writer.roles.includes("Admin") ? referrer : writer, c: clinic };
  if (clinic.roles.includes("Surgeon")) {
    const { version } = await past.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await execute(
      past,
      callerOf(clinic),
      setSurgeon,
      plainInput({ referralId, surgeonId: clinic.id, seenVersion: version }),
    );
  }
  for (const [index, { by, text, file }] of (lines as readonly DemoLine[]).entries()) {
    clock.set(new Date(sentAt + ((index + 1) / (lines.length + 1)) * Math.min(daysOld, 6) * 80_000_000));
    const formKey = `demo-${referralId}-${index}`;
    if (file) await attach(story, formKey, file);
    await execute(
      past,
      callerOf(side[by]),
      writeMessage,
      plainInput({ referralId, formKey, text: text.replaceAll("{t}", story.case.tooth) }),
    );
  }
  if (isOld) await execute(past, callerOf(side.r), markMessages, plainInput({ referralId, read: "yes" }));
}

async function attach({ past, writer, referrer }: Story, formKey: string, fileName: string): Promise<void> {
  const author = writer.roles.includes("Admin") ? referrer : writer;
  const file = path.join(past.config.dataDir, "incoming", formKey);
  await writeFile(file, "dato;svar\r\n12.11.2026;Se bemærkningen i beskeden\r\n");
  const result = await storeUpload(past, file, fileName, "attachment");
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo file ${fileName}: ${result.refused}`);
  await execute(
    past,
    callerOf(author),
    stageUploads,
    plainInput({ formKey, files: [{ ...result.accepted, field: "attachments", kind: "attachment" }] }),
  );
}
