import { z } from "zod";
import { optionalLine, optionalMobilePhone, optionalPhone, optionalText, requiredText } from "~/text/fields.server";
import { eachFact, type FactName, facts } from "./facts";
import { listTeeth, teethIn } from "./teeth";

/** A number of a list, sent as text. */
export const choice = (values: readonly number[]) =>
  z.coerce.number({ error: "Vælg en mulighed." }).refine((value) => values.includes(value), "Vælg en mulighed.");

const yesNo = z
  .enum(["yes", "no"])
  .default("no")
  .transform((value) => value === "yes");

/** The first is what an untouched form says. */
const word = (words: readonly { value: string }[]) => z.enum(words.map(({ value }) => value)).default(words[0]!.value);

/** Teeth in FDI's or Haderup's notation, stored as FDI. */
export const optionalTeeth = optionalLine(facts.teeth.max).transform((typed, context) => {
  const { teeth, unknown } = teethIn(typed ?? "");
  if (unknown.length > 0)
    context.addIssue({
      code: "custom",
      message: `Ukendt tand: ${unknown.slice(0, MAX_NAMED).join(", ")}. Skriv to cifre efter FDI, fx 38, 48.`,
    });
  return teeth.length === 0 ? null : listTeeth(teeth);
});
const MAX_NAMED = 5;

type Facts = typeof facts;
type FieldOf<N extends FactName> = Facts[N] extends { kind: "choice" }
  ? z.ZodDefault<ReturnType<typeof choice>>
  : Facts[N] extends { kind: "yesNo" }
    ? typeof yesNo
    : Facts[N] extends { kind: "word" }
      ? ReturnType<typeof word>
      : Facts[N] extends { required: string }
        ? ReturnType<typeof requiredText>
        : ReturnType<typeof optionalText>;

function fieldOf(name: FactName) {
  const fact = facts[name];
  switch (fact.kind) {
    case "choice":
      return choice(fact.choices.map(({ value }) => value)).default(0);
    case "yesNo":
      return yesNo;
    case "word":
      return word(fact.choices);
    case "phone":
      return optionalPhone;
    case "mobilePhone":
      return optionalMobilePhone;
    case "teeth":
      return optionalTeeth;
    case "line":
      return optionalLine(fact.max);
    case "text":
      return "required" in fact ? requiredText(fact.required, fact.max) : optionalText(fact.max);
  }
}

/** Some facts as a form sends them. */
export const factFields = <N extends FactName>(names: readonly N[]) =>
  eachFact(names, fieldOf) as unknown as { [K in N]: FieldOf<K> };
