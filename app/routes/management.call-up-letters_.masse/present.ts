import type { SerializeFrom } from "@remix-run/node";
import { placeholders } from "~/features/delivery/templates/placeholders";
import { callUpWays, obstacleTexts } from "~/features/patient-messages/ways";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;

export function presentPreview({ type, patients }: Values) {
  const judged = patients.map(({ obstacle, missing, ...patient }) => ({
    ...patient,
    reason: reasonOf(obstacle, missing),
  }));
  return {
    type,
    way: callUpWays.find(({ value }) => value === type)?.label ?? "",
    possible: judged.filter(({ reason }) => reason === null),
    blocked: judged.filter(({ reason }) => reason !== null),
  };
}

function reasonOf(
  obstacle: Values["patients"][number]["obstacle"],
  missing: Values["patients"][number]["missing"],
): string | null {
  if (obstacle === "planned") return "En indkaldelse er allerede planlagt";
  if (obstacle !== null) return obstacleTexts[obstacle];
  return missing.length === 0
    ? null
    : `mangler ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}`;
}
