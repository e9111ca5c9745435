import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { CarInfo } from "~/features/parking/operations.server";
import { MIN_PLATE, normalPlate } from "~/features/parking/plate";
import type { ActionResult } from "~/http/forms/action-result";

const REST_MS = 400;

interface Answered {
  plate: string;
  car: CarInfo;
}

/**
 * The car of the typed plate from four characters on; null while unknown. `before` is the answer to a form without
 * JavaScript.
 */
export function useCar(typed: string, before: Answered | undefined): CarInfo | null {
  const { data, submit } = useFetcher<ActionResult>({ key: "car" });
  const plate = normalPlate(typed);
  const [requestedPlate, setRequestedPlate] = useState(before?.plate ?? "");
  useEffect(() => {
    if (plate.length < MIN_PLATE || plate === requestedPlate) return;
    const timer = setTimeout(() => {
      setRequestedPlate(plate);
      submit({ intent: "lookUpCar", licensePlate: plate }, { method: "post" });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [plate, requestedPlate, submit]);
  const answer = (data?.data as Answered | undefined) ?? before;
  return answer?.plate === plate ? answer.car : null;
}
