import { z } from "zod";
import { ACTIVE, INACTIVE } from "./activity";

/** The status of a user or a clinic, as a form or the API sends it. */
export const activityStatus = (error: string) =>
  z.coerce.number<unknown>(error).pipe(z.literal([ACTIVE, INACTIVE], error));
