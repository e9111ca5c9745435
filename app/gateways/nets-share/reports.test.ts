import { describe, expect, test } from "vitest";
import { readReports } from "./outbound.server";

describe("reports of the distributor", () => {
  const receipt = (status: string, ...messages: string[]) =>
    readReports(
      "tTEST_DK12345678_77_netsshare_eboks-12-0f3c.zip.receipt",
      `<receipt><status>${status}</status><messages>${messages.map((text) => `<message>${text}</message>`).join("")}</messages></receipt>`,
    );

  test.each([
    ["200", [], "received", null],
    ["400", ["This shipment has already been received before"], "received", null],
    ["400", ["eboks:description is too long"], "failed", 5],
    ["400", ["Something &amp; unheard of"], "failed", 9],
    ["500", [], "failed", 9],
  ])("a shipment's receipt %s %j: %s %s", (status, messages, state, code) => {
    expect(receipt(status, ...messages)).toMatchObject([{ letterId: "eboks-12-0f3c", state, code }]);
  });

  const report = (inside: string) => readReports("report.xml", `<r:report xmlns:r="urn:r">${inside}</r:report>`);

  test.each([
    ["CONFIRMED", "", "delivered", null],
    ["rejected", "RECEIVER_NOT_ACTIVE", "failed", 4],
    ["REJECTED", "message_too_long", "failed", 5],
    ["REJECTED", "RECEIVER_NOT_FOUND", "failed", 6],
    ["REJECTED", "INVALID_DATE", "failed", 7],
    ["REJECTED", "PROTECTED_ADDRESS", "failed", 10],
    ["REJECTED", "X-4711", "failed", 9],
    ["SOMETHING_NEW", "X-4711", "received", null],
  ])("a letter that is %s %s: %s %s", (status, reason, state, code) => {
    const inside = `<r:message id="eboks-1-a"><r:status>${status}</r:status><r:reasonCode>${reason}</r:reasonCode></r:message>`;
    expect(report(inside)).toMatchObject([
      { letterId: "eboks-1-a", state, code, detail: [status, reason].filter(Boolean).join(" ") },
    ]);
  });

  test("a day without letters has an empty report; no XML or DOCTYPE is read", () => {
    expect(report("")).toEqual([]);
    expect(readReports("a.xml", "a;b;c")).toBeNull();
    expect(readReports("a.xml", "<html><p>not this</p></html>")).toBeNull();
    expect(readReports("a.xml", "<receipt><status>")).toBeNull();
    expect(
      readReports(
        "a.xml",
        '<!DOCTYPE r [<!ENTITY e "x">]><report><message id="a"><status>&e;</status></message></report>',
      ),
    ).toBeNull();
    expect(readReports("a.xml", "<report>".repeat(100) + "</report>".repeat(100))).toBeNull();
  });
});
