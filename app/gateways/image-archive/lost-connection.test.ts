// @module-tag matrix
// @module-tag orthanc
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseDicomHeader } from "~/files/dicom/dicom-header.server";
import { type CuttingProxy, startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { ORTHANC_TITLE, type Orthanc, startOrthanc } from "../../../tests/support/peers/orthanc";
import { type Patience, PATIENCE } from "./association.server";
import { createDimseArchive } from "./dimse.server";
import type { ArchiveInstance } from "./port";

/** An archive behind a connection that can be cut at any step: association, C-STORE, its answer, C-FIND, release. */
let orthanc: Orthanc;
let proxy: CuttingProxy;
beforeAll(async () => {
  orthanc = await startOrthanc();
  proxy = await startCuttingProxy(orthanc.port);
});
afterAll(async () => {
  await proxy.close();
  await orthanc.stop();
});

const archive = (patience: Patience = PATIENCE) =>
  createDimseArchive(
    { host: "127.0.0.1", port: Number(new URL(proxy.origin).port), calledTitle: ORTHANC_TITLE, callingTitle: "PORTAL" },
    patience,
  );

let count = 0;

/** The same picture under a new UID each time, of equal length. */
async function anImage(): Promise<ArchiveInstance> {
  const file = readFileSync("tests/files/dicom/CT_small.dcm");
  const was = (await parseDicomHeader(file, true))!.sopInstance!;
  const uid = `${was.slice(0, -4)}${1000 + (count += 1)}`;
  const bytes = Buffer.from(file.toString("latin1").replaceAll(was, uid), "latin1");
  const { sopClass, sopInstance, study, series, transferSyntax, dataSetOffset } = (await parseDicomHeader(
    bytes,
    true,
  ))!;
  const names = { sopClass: sopClass!, sopInstance: sopInstance!, study: study!, series: series!, patientId: "1CT1" };
  return { ...names, transferSyntax, dataSetOffset, sizeBytes: bytes.length, open: async () => Readable.from([bytes]) };
}

const send = async (instance: ArchiveInstance) => archive().send({ key: "1", instance }, AbortSignal.timeout(20_000));
const isStored = async ({ sopInstance }: ArchiveInstance) =>
  (await orthanc.instances()).filter(({ SOPInstanceUID }) => SOPInstanceUID === sopInstance).length;

/** The reported outcome is true, and after a retry the archive has the image exactly once. */
async function expectHonestThenWhole(where: string, instance: ArchiveInstance): Promise<void> {
  const result = await send(instance);
  expect(["retry", "accepted", "sent"], where).toContain(result.outcome);
  if (result.outcome !== "retry") expect(await isStored(instance), where).toBe(1);
  else if (await isStored(instance)) expect(result.reference, where).toBe(instance.sopInstance);
  const end =
    result.outcome === "accepted" ? await archive().find!(instance, AbortSignal.timeout(20_000)) : await send(instance);
  expect(end?.outcome, where).toBe("sent");
  expect(await isStored(instance), where).toBe(1);
}

test("wherever the request is cut off, the image is stored once and recorded as stored", async () => {
  const before = proxy.received();
  expect((await send(await anImage())).outcome).toBe("sent");
  const whole = proxy.received() - before;
  const early = [1, 120, 250, 400, 550, 700];
  const late = [900, 700, 500, 350, 200, 100, 40, 10, 1].map((left) => whole - left);
  for (const bytes of [...early, Math.round(whole / 2), ...late]) {
    proxy.cutAt(proxy.received() + bytes);
    await expectHonestThenWhole(`after ${bytes} of ${whole} bytes`, await anImage());
  }
  expect(await orthanc.instances()).toHaveLength(count);
});

test("wherever the archive is cut off, the image is stored and recorded once", async () => {
  for (let bytes = 1; bytes < 780; bytes += 60) {
    proxy.cutAnswersAt(bytes);
    await expectHonestThenWhole(`after ${bytes} bytes of answers`, await anImage());
  }
  expect(await orthanc.instances()).toHaveLength(count);
});

test("times out on an archive that falls silent during an image, and asks again", async () => {
  const instance = await anImage();
  const held = proxy.holdAt(proxy.received() + 20_000);
  const result = await archive({ connect: 5_000, silence: 500 }).send(
    { key: "1", instance },
    AbortSignal.timeout(20_000),
  );
  await held;
  expect(result).toMatchObject({ outcome: "retry", detail: "Arkivet svarede ikke i tide" });
  expect((await send(instance)).outcome).toBe("sent");
});
