// @module-tag matrix
// @module-tag dcmtk
// @module-tag orthanc
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDicomHeader } from "~/files/dicom/dicom-header.server";
import { patientIdElement } from "~/files/dicom/dicom-part10.server";
import { DCMQRSCP_TITLE, type Dcmqrscp, startDcmqrscp } from "../../../tests/support/peers/dcmqrscp";
import { ORTHANC_TITLE, type Orthanc, startOrthanc } from "../../../tests/support/peers/orthanc";
import { createDimseArchive } from "./dimse.server";
import type { ArchiveInstance } from "./port";

let orthanc: Orthanc;
let dcmqrscp: Dcmqrscp;
beforeAll(async () => {
  [orthanc, dcmqrscp] = await Promise.all([startOrthanc(), startDcmqrscp()]);
});
afterAll(async () => {
  await Promise.all([orthanc.stop(), dcmqrscp.stop()]);
});

/** One picture under one UID, with the given patient number. */
async function anImageOf(numberInFile: string, patientId = numberInFile): Promise<ArchiveInstance> {
  const file = readFileSync("tests/files/dicom/CT_small.dcm");
  const span = (await parseDicomHeader(file, true))!.patientIdSpan!;
  const bytes = Buffer.concat([
    file.subarray(0, span.from),
    patientIdElement(numberInFile, span),
    file.subarray(span.to),
  ]);
  const { sopClass, sopInstance, study, series, transferSyntax, dataSetOffset } = (await parseDicomHeader(
    bytes,
    true,
  ))!;
  const names = { sopClass: sopClass!, sopInstance: sopInstance!, study: study!, series: series! };
  const open = async () => Readable.from([bytes]);
  return { ...names, patientId, transferSyntax, dataSetOffset, sizeBytes: bytes.length, open };
}

describe.each([
  ["Orthanc", () => ({ port: orthanc.port, calledTitle: ORTHANC_TITLE })],
  ["dcmqrscp", () => ({ port: dcmqrscp.port, calledTitle: DCMQRSCP_TITLE })],
] as const)("one UID for two patients at %s", (_, peer) => {
  const archive = () => createDimseArchive({ host: "127.0.0.1", callingTitle: "PORTAL", ...peer() });
  const send = (instance: ArchiveInstance) => archive().send({ key: "1", instance }, AbortSignal.timeout(20_000));
  const find = (instance: ArchiveInstance) => archive().find!(instance, AbortSignal.timeout(20_000));

  test("the first patient's is archived, the second's refused", async () => {
    const first = await anImageOf("251248-9996");
    expect(await find(first)).toBeNull();
    expect((await send(first)).outcome).toBe("sent");
    const refused = {
      outcome: "refused",
      detail: "Filen findes i billedarkivet på en anden patient",
      reason: "archivedForAnother",
    };
    const second = await anImageOf("620170-4321");
    expect(await send(second)).toEqual(refused);
    expect(await find(second)).toEqual(refused);
    expect((await find({ ...first, patientId: "2512489996" }))?.outcome).toBe("sent");
    expect((await send(first)).outcome).toBe("sent");
  });
});

test("an image shown under another number does not count as archived", async () => {
  const archive = createDimseArchive({
    host: "127.0.0.1",
    port: orthanc.port,
    calledTitle: ORTHANC_TITLE,
    callingTitle: "PORTAL",
  });
  const file = await anImageOf("KLINIK-77", "620170-4321");
  const sent = await archive.send({ key: "1", instance: { ...file, study: "2.25.77" } }, AbortSignal.timeout(20_000));
  expect(sent).toMatchObject({ outcome: "accepted" });
  expect(await archive.find!(file, AbortSignal.timeout(20_000))).toMatchObject({ outcome: "refused" });
});
