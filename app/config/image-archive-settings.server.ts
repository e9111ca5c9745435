import { z } from "zod";
import { optional } from "./setting-fields.server";
import type { ImageArchiveSettings } from "~/gateways/image-archive/port";

/** An AE title: at most 16 characters of ASCII, no backslash; the blanks around it do not count (DICOM PS3.5, 6.2). */
const TITLE = /^[\x21-\x5b\x5d-\x7e]([\x20-\x5b\x5d-\x7e]{0,14}[\x21-\x5b\x5d-\x7e])?$/;
const DEFAULT_TITLE = "HENVISNING";

function settingsOf(text: string): ImageArchiveSettings | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname, port, username, password, pathname, searchParams } = url;
  const calledTitle = decodeURIComponent(username);
  const callingTitle = searchParams.get("calling") ?? DEFAULT_TITLE;
  const isWhole =
    protocol === "dimse:" && hostname !== "" && port !== "" && password === "" && (pathname === "" || pathname === "/");
  const knows = [...searchParams.keys()].every((name) => name === "calling");
  if (!isWhole || !knows || !TITLE.test(calledTitle) || !TITLE.test(callingTitle)) return null;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), calledTitle, callingTitle };
}

export const imageArchiveFields = {
  IMAGE_ARCHIVE: optional(
    z
      .string()
      .refine(
        (text) => settingsOf(text) !== null,
        "must be dimse://CALLED_AE@host:port, with ?calling=OUR_AE where ours is not HENVISNING (titles of at most 16 characters)",
      ),
  ),
};

export const imageArchiveOf = (given: { IMAGE_ARCHIVE?: string }): ImageArchiveSettings | null =>
  given.IMAGE_ARCHIVE === undefined ? null : settingsOf(given.IMAGE_ARCHIVE);
