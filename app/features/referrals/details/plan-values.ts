import { showDay } from "~/text/dates";
import { showPrice } from "~/text/numbers";

/** Values of the plan's form as its controls show them: the day (`YYYY-MM-DD`) and the price in Danish. */
export const shownPlanValues = <V extends { operationDate: string; price: string }>(values: V): V => ({
  ...values,
  operationDate: values.operationDate && showDay(values.operationDate),
  price: values.price && showPrice(values.price),
});
