import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Person } from "~/access/actor";
import { beginRadiographUpload } from "~/features/referrals/images/upload-radiograph.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import type { TestPortal } from "../support/test-portal";

interface Wanted {
  referralId?: number;
  /** Form of step 1 before there is a draft. */
  ofForm?: string;
  materialLineId?: number;
  formKey?: string;
  fileName?: string;
  radiographType?: number;
}

let count = 0;

export async function anUpload(portal: TestPortal, who: Person, bytes: Buffer, wanted: Wanted): Promise<string> {
  count += 1;
  const { to } = await portal.as(who, beginRadiographUpload, {
    formKey: `upload-key-${count}`,
    fileName: `${count}.jpg`,
    radiographType: 2,
    sizeBytes: bytes.length,
    lastModified: 1,
    ...wanted,
  });
  return to!.split("/").at(-1)!;
}

export async function aStagedFile(
  portal: TestPortal,
  who: Person,
  formKey: string,
  { fileName, content, kind }: { fileName: string; content: Buffer | string; kind: "radiograph" | "journal" },
): Promise<void> {
  const file = path.join(portal.config.dataDir, formKey);
  await writeFile(file, content);
  const result = await storeUpload(portal, file, fileName, kind, { requestedBy: "test" });
  if ("refused" in result) throw new Error(result.refused);
  await portal.as(who, stageUploads, { formKey, files: [{ ...result.accepted, field: `${kind}s`, kind }] });
}
