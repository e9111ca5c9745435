import { z } from "zod";

/** What many answers are made of: a moment in UTC, and a text or null. */
export const moment = z.iso.datetime();
export const text = z.string().nullable();
