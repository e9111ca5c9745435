import { z } from "zod";

export const moment = z.iso.datetime();
export const text = z.string().nullable();
