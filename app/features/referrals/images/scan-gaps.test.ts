import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { createClamdScanner } from "~/gateways/virus-scanner/clamd.server";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { clamdPeer } from "../../../../tests/support/peers/clamd-peer";
import { listening } from "../../../../tests/support/peers/listening";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase } from "../../../../tests/support/test-portal";
import { readImage, readUploadDialog } from "./read-images.server";

forEachDatabase("why a file has not been scanned for viruses", { mariadb: "matrix" }, (dialect) => {
  let given: Parameters<Parameters<typeof openReferralPortal>[1]>[0];
  const { read } = openReferralPortal(dialect, (begun) => {
    given = begun;
  });
  const listen = listening();

  test.each([
    ["stream: OK", { isScanned: true, scanGap: null }],
    ["stream: Heuristics.Encrypted.Doc FOUND", { isScanned: false, scanGap: "encrypted" }],
    ["stream: Can't allocate memory ERROR", { isScanned: false, scanGap: "scannerError" }],
  ] as const)("the scanner's %s reaches staff in list, dialog and viewer, nobody else", async (answer, shown) => {
    const { portal, admin, dentist, referralId } = given;
    const port = await listen(clamdPeer(answer).server);
    await aRadiograph(
      { ...portal, scanner: createClamdScanner({ host: "127.0.0.1", port }) },
      dentist,
      referralId,
      "48.jpg",
    );
    const seenBy = async (who: Person) => {
      const [image] = (await read(who)).images.shown;
      const dialog = await portal.as(who, readUploadDialog, { referralId });
      const viewer = await portal.as(who, readImage, { referralId, fileId: image!.id });
      return [image, dialog.images[0], viewer.image];
    };
    for (const facts of await seenBy(admin)) expect(facts).toMatchObject(shown);
    for (const facts of await seenBy(dentist)) expect(facts).toMatchObject({ isScanned: true, scanGap: null });
  });

  test("without a scanner, or a stored cause, it says what is known", async () => {
    const { portal, admin, dentist, referralId } = given;
    await aRadiograph(portal, dentist, referralId, "48.jpg");
    expect((await read(admin)).images.shown).toMatchObject([{ isScanned: false, scanGap: "noScanner" }]);
    await portal.db.updateTable("storedFile").set({ scanState: "notScanned" }).execute();
    expect((await read(admin)).images.shown).toMatchObject([{ isScanned: false, scanGap: null }]);
  });
});
