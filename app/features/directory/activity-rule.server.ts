import { z } from "zod";
import { ACTIVE, INACTIVE } from "./activity";

/** Schema of the status field of users and clinics. */
export const activityStatus = (error: string) =>
  z.coerce.number<unknown>(error).pipe(z.literal([ACTIVE, INACTIVE], error));
