import { z } from "zod";
import { optional, withDefault } from "./setting-fields.server";

/** `off`: no code is asked; `optional`: only of those who set one up; `required`: everybody must set one up first. */
export type SecondFactorRule = "off" | "optional" | "required";

export interface SecondFactorRules {
  staff: SecondFactorRule;
  referrers: SecondFactorRule;
}

const rule = z.enum(["off", "optional", "required"], "must be off, optional or required");

export const secondFactorFields = {
  // `staff` is the former name of `required`.
  SECOND_FACTOR: optional(z.preprocess((given) => (given === "staff" ? "required" : given), rule)),
  SECOND_FACTOR_REFERRERS: withDefault(rule, "optional"),
};

export const secondFactorOf = (
  e: z.output<z.ZodObject<typeof secondFactorFields>>,
  isProduction: boolean,
): SecondFactorRules => ({
  staff: e.SECOND_FACTOR ?? (isProduction ? "required" : "optional"),
  referrers: e.SECOND_FACTOR_REFERRERS,
});
