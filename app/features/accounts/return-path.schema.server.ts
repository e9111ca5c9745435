import { z } from "zod";
import { safeReturn } from "./return-path";

/** The field `to`: where to go afterwards. An invalid address becomes the start page. */
export const returnPath = z.string().nullish().catch(null).transform(safeReturn);
