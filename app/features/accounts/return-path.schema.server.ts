import { z } from "zod";
import { safeReturn } from "./return-path";

/** The field `to`: where to go afterwards. A link that cannot be followed leads to the start page and never stands in the way. */
export const returnPath = z.string().nullish().catch(null).transform(safeReturn);
