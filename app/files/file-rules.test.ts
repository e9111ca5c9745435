import { describe, expect, test } from "vitest";
import { acceptAttribute, extensionOf, fileKinds, radiographTypes, typesFor } from "./file-rules";
import { allowedTypesText, guidanceText, refusalText, wrongTypeText } from "./file-texts";

test("each X-ray type offers its own extensions, and DICOM only .dcm", () => {
  for (const { value, extensions } of radiographTypes)
    expect(extensions).toEqual(value === 4 ? ["dcm"] : ["jpg", "jpeg", "gif", "png", "bmp"]);
  expect(acceptAttribute("radiograph")).toBe(".jpg,.jpeg,.gif,.png,.bmp,.dcm");
  expect(acceptAttribute("approval")).toBe(".pdf,.doc,.docx");
  expect(acceptAttribute("journal")).toBe(".pdf,.doc,.docx,.rtf,.tiff,.tif,.xml,.xls,.xlsx,.csv,.zip");
});

test.each([
  ["OPG.JPG", 2, true],
  ["OPG.jpg", 4, false],
  ["cbct.dcm", 4, true],
  ["cbct.dcm", 0, false],
  ["scan.tiff", 0, false],
  ["foto.jpg.exe", 1, false],
  ["jpg", 1, false],
  ["", 1, false],
] as const)("%s as type %i: %s", (name, type, taken) =>
  expect(typesFor(name).some(({ value }) => value === type)).toBe(taken),
);

test("the extension is what follows the last dot", () => {
  expect(extensionOf("a.tar.GZ")).toBe("gz");
  expect(extensionOf("none")).toBeUndefined();
  expect(extensionOf("ends.")).toBeUndefined();
});

test("radiographs may have 1 GB, journal copies 100 MB, an approval 25 MB", () => {
  expect(fileKinds.radiograph.maxBytes).toBe(1_073_741_824);
  expect(fileKinds.journal.maxBytes).toBe(104_857_600);
  expect(fileKinds.approval.maxBytes).toBe(26_214_400);
});

describe("the texts", () => {
  test("X-rays: that the type is not approved, then the types", () => {
    expect(wrongTypeText("radiograph")).toBe(
      "Denne filtype er ikke godkendt i dette felt. Tilladte filtyper: jpg, jpeg, gif, png, bmp, dcm.",
    );
  });
  test.each(["journal", "approval"] as const)(
    "%s: not approved, what the field is for, X-rays on page 3, the types",
    (kind) => {
      const text = wrongTypeText(kind);
      expect(text).toMatch(/ikke godkendt/);
      expect(text).toMatch(kind === "journal" ? /kun til journalkopi/ : /til behandlingsgodkendelse/);
      expect(text).toMatch(/røntgenbilleder vedhæftes på side 3/);
      expect(text).toContain(allowedTypesText(kind));
    },
  );
  test("every reason has a text, and TIFF says why", () => {
    for (const reason of ["empty", "type", "mismatch", "tooLarge", "damaged", "tiff", "pixels"] as const) {
      expect(refusalText(reason, "radiograph")).toMatch(/^\p{Lu}.{20,}\.$/u);
    }
    expect(refusalText("tiff", "radiograph")).toMatch(/TIFF.*jpg eller png/);
    expect(refusalText("mismatch", "approval", { extension: "pdf", found: "en exe-fil" })).toContain(
      "Indholdet er en exe-fil, men navnet ender på .pdf",
    );
    expect(guidanceText("radiograph")).toMatch(/1 GB.*TIFF/);
  });
});
