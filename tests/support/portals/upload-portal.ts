import { Readable } from "node:stream";
import { afterAll, beforeAll } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { findParts } from "~/files/staging/upload-part-store.server";
import { storeParts, withWholeUpload } from "~/files/staging/upload-parts.server";
import { aClinic, aPerson } from "../../factories/people";
import { aDraftWithReferrer } from "../../factories/referrals";
import { anUpload } from "../../factories/uploads";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

interface Opened {
  portal: TestPortal;
  dentist: Person;
  /** What is uploaded unless a test says otherwise. */
  picture: Buffer;
}

/** A portal for the tests of one file with a dentist who uploads images in parts; `opened` is handed both. */
export function uploadPortal(dialect: Dialect, opened: (given: Opened) => void) {
  let portal: TestPortal;
  let dentist: Person;
  let picture: Buffer;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    picture = await drawRadiograph({ type: 0, format: "jpg", seed: 11 });
    opened({ portal, dentist, picture });
  });
  afterAll(() => portal.close());

  const arrive = (uploadId: string, bytes: Buffer, start = 0) =>
    storeParts(portal, uploadId, Readable.from([bytes]), start);
  const hasParts = async (uploadId: string) => (await findParts(portal.db, uploadId)).length > 0;

  /** An upload of which this share of the bytes has come. */
  async function begin(
    referralId: number,
    { who = dentist, bytes = picture, share = 1, type = 0, fileName = "48.jpg", ...more } = {} as {
      who?: Person;
      bytes?: Buffer;
      share?: number;
      type?: number;
      fileName?: string;
      formKey?: string;
    },
  ): Promise<string> {
    const uploadId = await anUpload(portal, who, bytes, { referralId, radiographType: type, fileName, ...more });
    if (!(await hasParts(uploadId))) await arrive(uploadId, bytes.subarray(0, Math.floor(bytes.length * share)));
    return uploadId;
  }
  /** What a killed process leaves: the store has it, no row says so. */
  const storeUnrecorded = (uploadId: string) =>
    withWholeUpload(portal, uploadId, (whole) => portal.files.copyAs(whole, uploadId));

  const stepThree = () => aDraftWithReferrer(portal, dentist);
  async function wizard(referralId: number, who = dentist) {
    const read = await portal.as(who, readWizard, { referralId, step: 3 });
    if ("redirectTo" in read) throw new Error("not a draft");
    return read;
  }

  return { begin, arrive, hasParts, storeUnrecorded, stepThree, wizard };
}
