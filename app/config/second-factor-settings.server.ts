import { z } from "zod";
import { optional, withDefault } from "./setting-fields.server";

/** `off`: nobody is asked for a code; `optional`: who has set one up; `required`: everybody, who sets it up before anything else. */
export type SecondFactorRule = "off" | "optional" | "required";

export interface SecondFactorRules {
  staff: SecondFactorRule;
  referrers: SecondFactorRule;
}

const rule = z.enum(["off", "optional", "required"], "must be off, optional or required");

export const secondFactorFields = {
  // `staff` is what `required` was called when referrers could have none.
  SECOND_FACTOR: optional(z.preprocess((given) => (given === "staff" ? "required" : given), rule)),
  SECOND_FACTOR_REFERRERS: withDefault(rule, "optional"),
};

/** In production staff need one unless the operator says otherwise. */
export const secondFactorOf = (
  e: z.output<z.ZodObject<typeof secondFactorFields>>,
  isProduction: boolean,
): SecondFactorRules => ({
  staff: e.SECOND_FACTOR ?? (isProduction ? "required" : "optional"),
  referrers: e.SECOND_FACTOR_REFERRERS,
});
