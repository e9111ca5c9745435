// @module-tag node
import { once } from "node:events";
import fs from "node:fs/promises";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test, vi } from "vitest";
import type { ReceivedFiles } from "~/access/caller";
import { openUploadRoom } from "~/files/staging/upload-quota.server";
import { createTestPortal } from "../../../tests/support/test-portal";
import { readUploadedBody } from "./uploads.server";

const MB = 1024 * 1024;
const fields = { radiographs: { kind: "radiograph", maxBytes: MB, maxFiles: 10 } } as const;

test.each([11 * 1024, 300 * 1024])(
  "without room on the disk a file of %i bytes is refused for that reason",
  async (size) => {
    const portal = await createTestPortal("sqlite");
    const free = { bavail: 200 * MB, bsize: 1 } as Awaited<ReturnType<typeof fs.statfs>>;
    const disk = vi.spyOn(fs, "statfs").mockResolvedValue(free);
    const room = await openUploadRoom({ db: portal.db, dataDir: portal.config.dataDir }, null);
    const refused: ReceivedFiles["refused"] = [];
    const app = express().post("/", (request, response, next) => {
      readUploadedBody(portal, request, { fields, refused, room, isPage: true }).then(
        ({ form, isCut }) => response.json({ note: form.get("note"), isCut }),
        next,
      );
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const body = new FormData();
      body.set("note", "bliver stående");
      body.set("radiographs", new File([new Uint8Array(size)], "tand.jpg"));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const answer = await fetch(url, { method: "POST", body });
      expect(await answer.json()).toEqual({ note: "bliver stående", isCut: true });
      expect(refused).toEqual([
        {
          field: "radiographs",
          fileName: "tand.jpg",
          status: 507,
          text: expect.stringContaining("ikke plads") as string,
        },
      ]);
    } finally {
      disk.mockRestore();
      server.close();
      await portal.close();
    }
  },
);
