import { expect, test } from "vitest";
import { presentImage } from "./present";

test("a large image says its type, when it came and when it was taken", () => {
  const image: Parameters<typeof presentImage>[0] = {
    referralId: 7,
    fileId: 1,
    patientName: "Åse Øst",
    name: "48.dcm",
    type: 2,
    uploadedAt: "2026-11-30T23:30:00.000Z",
    sizeBytes: 5,
    isScanned: true,
    number: 1,
    count: 1,
    previousId: null,
    nextId: null,
    isOfAnother: false,
    dicom: { frames: 1, patientName: null, takenOn: "2026-11-18" },
  };
  expect(presentImage(image)).toMatchObject({
    typeLabel: "Panorama",
    uploadedOn: "01.12.2026",
    dicom: { takenOn: "18.11.2026" },
  });
  expect(presentImage({ ...image, type: null, dicom: null })).toMatchObject({ typeLabel: "–", dicom: null });
});
