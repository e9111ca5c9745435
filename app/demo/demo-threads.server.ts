import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execute, plainInput } from "~/access/operation.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { markMessages, writeMessage } from "~/features/messages/operations.server";
import { type DemoLine, threads } from "./content/threads.server";
import { callerOf, type Story } from "./demo-scenario.server";
import type { Act } from "./demo-story.server";

const ANSWERED: DemoLine = { by: "c", text: "Tak, det er noteret." };

/** Messages about one in three referrals, in the week after it was sent; each thread ends with the clinic's answer. */
export function threadOf(story: Story, referralId: number): Act[] {
  const { random, writer, referrer, staff } = story;
  if (!random.chance(0.35)) return [];
  const chosen = random.pick(
    story.case.tooth === "" ? threads.filter((lines) => !lines.some(({ text }) => text.includes("{t}"))) : threads,
  );
  const lines = chosen[chosen.length - 1]!.by === "r" ? [...chosen, ANSWERED] : chosen;
  const side = { r: writer.roles.includes("Admin") ? referrer : writer, c: random.pick(staff.surgeons) };
  const begins = random.between(0.5, 3);
  const acts = lines.map(({ by, text, file }, index): Act => [
    begins + index * 0.9,
    async () => {
      const formKey = `demo-${referralId}-${index}`;
      const writes = callerOf(side[by]);
      if (file) await attach(story, side[by], formKey, file);
      const input = { referralId, formKey, text: text.replaceAll("{t}", story.case.tooth) };
      await execute(story.past, writes, writeMessage, plainInput(input));
    },
  ]);
  const read = () => execute(story.past, callerOf(side.r), markMessages, plainInput({ referralId, read: "yes" }));
  return [...acts, [begins + lines.length, read]];
}

async function attach({ past }: Story, author: Story["writer"], formKey: string, fileName: string): Promise<void> {
  const file = path.join(past.config.dataDir, "incoming", formKey);
  await writeFile(file, "dato;svar\r\n12.11.2026;Se bemærkningen i beskeden\r\n");
  const result = await storeUpload(past, file, fileName, "attachment", { requestedBy: "demo" });
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo file ${fileName}: ${result.refused}`);
  await execute(
    past,
    callerOf(author),
    stageUploads,
    plainInput({ formKey, files: [{ ...result.accepted, field: "attachments", kind: "attachment" }] }),
  );
}
