// @module-tag matrix
// @module-tag openssh
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ediErrors, ediFields } from "~/config/edi-settings.server";
import { aside, claimed, ediFolders, now } from "../../../tests/support/edi/edi-folders";
import { chooseEdiGateway, chooseEdiInbox } from "~/gateways/choose.server";
import type { ClaimedFile } from "./port";

const signal = () => AbortSignal.timeout(20_000);

describe.each(["folder", "sftp"] as const)("EDI in a %s", (kind) => {
  const { put, lying, take, inFolder, inbox, gateway, server } = ediFolders(kind);

  test("delivers each file once, oldest first; skips files being written or moved aside", async () => {
    put("b.xml", "bb", 200);
    put("a æ.xml", "a", 150);
    put("c.xml.part", "c");
    put("d.xml", "d", 1);
    put("stor.xml", "x", 140);
    expect(await take(async ({ name }) => (name === "stor.xml" ? "aside" : "done"))).toEqual([
      "b.xml 2 bb",
      "a æ.xml 1 a",
      "stor.xml 1 x",
    ]);
    expect(lying("in")).toEqual(["c.xml.part", "d.xml", aside("stor.xml")]);
    expect(await take(async () => "done")).toEqual([]);
  });

  test("skips a file being written, and returns one that has grown", async () => {
    put("bagud.xml", "b", 65);
    put("forud.xml", "f", -65);
    put("vokser.xml", "v");
    const seen = await take(async () => "done");
    expect(seen).toEqual(["vokser.xml 1 v"]);
    put("vokser.xml", "v");
    await inbox().takeEach(async (file) => {
      const [growing] = readdirSync(inFolder("in")).filter((name) => name.endsWith(".claimed"));
      appendFileSync(inFolder("in", growing!), "okset");
      await file.read();
      return "done";
    }, now);
    expect(lying("in")).toEqual(["bagud.xml", "forud.xml", "vokser.xml"]);
    put("vokser.xml", "vokset");
    expect(await take(async () => "done")).toEqual(["vokser.xml 6 vokset"]);
  });

  test("a claimed, unfinished file is hidden for a quarter of an hour", async () => {
    put("a.xml", "a");
    await expect(
      take(async () => {
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    expect(lying("in")).toEqual([claimed("a.xml")]);
    expect(await take(async () => "done", new Date(now.getTime() + 14 * 60_000))).toEqual([]);
    expect(await take(async () => "done", new Date(now.getTime() + 16 * 60_000))).toEqual(["a.xml 1 a"]);
    expect(lying("in")).toEqual([]);
  });

  test("an error over one file leaves it claimed, and the others are delivered", async () => {
    for (const name of ["a.xml", "b.xml", "c.xml"]) put(name, name);
    const failing = take(async ({ name }) => {
      if (name === "a.xml") throw new Error("broken");
      return "done";
    });
    await expect(failing).rejects.toThrow("broken");
    expect(lying("in")).toEqual([claimed("a.xml")]);
  });

  test("a name near the disk's limit is put aside, the others delivered", async () => {
    const names = ["a", "b"].map((end) => `${"ø".repeat(120)}${end}.xml`);
    for (const name of names) put(name, "lang", 200);
    put("kort.xml", "kort");
    const seen: [string, ClaimedFile["trouble"]][] = [];
    await inbox().takeEach(async ({ name, trouble }) => {
      seen.push([name, trouble]);
      return trouble === null ? "done" : "aside";
    }, now);
    expect(seen.toSorted()).toEqual([["kort.xml", null], ...names.map((name) => [name, "longName"])]);
    expect(lying("in")).toEqual(Array(2).fill(aside("ø{40}~[0-9a-f]{16}")));
  });

  test("a file over which its machine died twice is put aside unread", async () => {
    put("a.xml", "a");
    let at = now.getTime();
    const tries: ClaimedFile["trouble"][] = [];
    const dies = () =>
      new Promise<void>((resolve) => {
        void inbox().takeEach(({ trouble }) => {
          tries.push(trouble);
          resolve();
          return new Promise(() => undefined);
        }, new Date(at));
      });
    await dies();
    at += 16 * 60_000;
    await dies();
    at += 16 * 60_000;
    await inbox().takeEach(async ({ trouble }) => {
      tries.push(trouble);
      return "aside";
    }, new Date(at));
    expect(tries).toEqual([null, null, "deadly"]);
    expect(lying("in")).toEqual([aside("a.xml")]);
  });

  test("of two machines that poll simultaneously, each file is claimed by one", async () => {
    for (let n = 0; n < 10; n++) put(`${n}.xml`, String(n), 200 - n);
    const [one, other] = await Promise.all([
      take(async () => "done"),
      take(async () => "done", new Date(now.getTime() + 60_000)),
    ]);
    expect([...one, ...other].toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `${n}.xml 1 ${n}`));
    expect(lying("in")).toEqual([]);
  });

  test("sends a message as one whole file, and the same message once", async () => {
    const message = { key: "outbox-1", files: [{ name: "edi-1-ab.xml", bytes: Buffer.from("æ", "latin1") }] };
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "sent" });
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "sent" });
    expect(lying("out")).toEqual(["edi-1-ab.xml"]);
    expect(readFileSync(inFolder("out", "edi-1-ab.xml")).toString("latin1")).toBe("æ");
  });

  test("interrupted between two files: unknown, and the next sends both", async () => {
    const message = {
      key: "outbox-4",
      files: [
        { name: "edi-4-bin.xml", bytes: Buffer.from("bin") },
        { name: "later/edi-4.xml", bytes: Buffer.from("letter") },
      ],
    };
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "retry", reference: "outbox-4" });
    mkdirSync(inFolder("out", "later"));
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "sent" });
    expect(readFileSync(inFolder("out", "edi-4-bin.xml"), "utf8")).toBe("bin");
    expect(readFileSync(inFolder("out", "later/edi-4.xml"), "utf8")).toBe("letter");
    expect([...lying("out"), ...lying("out/later")].filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a missing folder marks the channel as down and fails no message", async () => {
    rmSync(inFolder("out"), { recursive: true });
    const message = { key: "outbox-2", files: [{ name: "edi-2-ab.xml", bytes: Buffer.from("a") }] };
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "retry", isChannelDown: true });
    rmSync(inFolder("in"), { recursive: true });
    await expect(take(async () => "done")).rejects.toThrow(/ENOENT|No such/);
  });

  test.runIf(kind === "sftp")("whoever is not let in takes nothing", async () => {
    server()!.letIn(false);
    const message = { key: "outbox-3", files: [{ name: "edi-3-ab.xml", bytes: Buffer.from("a") }] };
    await expect(take(async () => "done")).rejects.toThrow(/authentication/i);
    server()!.letIn(true);
    expect(await gateway().send(message, signal())).toMatchObject({ outcome: "sent" });
  });
});

test("an EDI_GLN that is no location number is refused", () => {
  const read = ediFields.EDI_GLN.safeParse("5790000000005, 57900000000");
  expect(read.error?.issues.map(({ message }) => message)).toEqual([
    "must be location numbers of 13 digits, parted by commas",
  ]);
});

test("the settings belong together; without any, a trial has a folder", () => {
  expect(ediErrors({ EDI_DIR: "/tmp", EDI_GLN: "5790000000005" })).toEqual([]);
  expect(ediErrors({ EDI_DIR: "/tmp", EDI_SFTP_URL: "sftp://sftp.eksempel.dk" })).toEqual([
    "EDI_DIR: cannot be used together with EDI_SFTP_URL",
    "EDI_SFTP_KEY_FILE: is required with EDI_SFTP_URL",
    "EDI_SFTP_HOST_KEY: is required with EDI_SFTP_URL",
    "EDI_SFTP_URL: must name the user: sftp://user@host",
    "EDI_GLN: is required with EDI_DIR and EDI_SFTP_URL",
  ]);
  const none = { edi: null, dataDir: "/nowhere" };
  expect(chooseEdiInbox({ ...none, production: true })).toBeNull();
  expect(chooseEdiGateway({ ...none, production: true })).toMatchObject({ mode: "notConfigured" });
  expect(chooseEdiGateway({ ...none, production: false })).toMatchObject({ mode: "embedded" });
});
