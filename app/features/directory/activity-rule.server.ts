import { z } from "zod";
import { ACTIVE, INACTIVE } from "./activity";

export const activityStatus = (error: string) =>
  z.coerce.number<unknown>(error).pipe(z.literal([ACTIVE, INACTIVE], error));
