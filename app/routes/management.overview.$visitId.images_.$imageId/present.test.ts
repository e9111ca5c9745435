import { expect, test } from "vitest";
import { presentViewer } from "./present";

test("an image says its type, when it came and when it was taken", () => {
  const image: Parameters<typeof presentViewer>[0]["image"] = {
    id: 1,
    name: "48.dcm",
    type: 2,
    slices: 1,
    uploadedAt: "2026-11-30T23:30:00.000Z",
    takenOn: "2026-11-18",
    sizeBytes: 5,
    isScanned: true,
    scanGap: null,
    isOfAnother: false,
    dicom: { frames: 1, patientName: null, orientation: null },
  };
  const strip = { images: [], page: 1, pageCount: 1, firstIds: [1] };
  const place = {
    number: 1,
    count: 2,
    previousId: null,
    nextId: 2,
    sliceIds: [1],
    referredAt: "2026-11-30T20:00:00.000Z",
    sameIn: [],
  };
  expect(presentViewer({ ...place, strip, image, beside: { ...image, id: 2, type: null, dicom: null } })).toMatchObject(
    {
      ...place,
      image: {
        typeLabel: "Panorama",
        arrival: "01.12.2026",
        exposure: "optaget 18.11.2026, 12 dage før henvisningen",
      },
      beside: { id: 2, typeLabel: "–", dicom: null },
    },
  );
  expect(presentViewer({ ...place, strip, image, beside: null }).beside).toBeNull();
  const undated = presentViewer({ ...place, strip, image: { ...image, takenOn: null }, beside: null }).image;
  expect(undated).toMatchObject({ arrival: "optaget: ukendt · modtaget 01.12.2026", exposure: null });
});
